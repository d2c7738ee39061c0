uname -m | grep -q x86_64 || exit 77
command -v gcc >/dev/null || exit 77
mkdir nothing # no compiler is found there
$ILCUDA build bin/Tutorial.dll RowSum --isa x86-64 --out t.ilcuda --cpu-compiler gcc >/dev/null
$ILCUDA check --bundle t.ilcuda --no-jit GramDot --engine cpu; echo $?
$ILCUDA call --bundle t.ilcuda --no-jit GramDot '[1,2]' 1 0 1 --engine cpu; echo $?
$ILCUDA build bin/Tutorial.dll RowSum --isa none --out il.ilcuda
$ILCUDA check --bundle il.ilcuda --no-jit RowSum --engine cpu; echo $?
$ILCUDA call --bundle il.ilcuda --no-jit RowSum '[1,2]' 2 0; echo $?
$ILCUDA run bin/Tutorial.dll --no-jit 'RowSum[1]' --engine cpu; echo $?
PATH=$PWD/nothing
$ILCUDA check --bundle t.ilcuda GramDot --engine cpu --cache-dir ""; echo $?
