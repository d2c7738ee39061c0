uname -m | grep -q x86_64 || exit 77
command -v gcc >/dev/null || exit 77
mkdir nothing # no compiler is found there
$ILCUDA build bin/GraphCs.dll Graph.G5 --out g.ilcuda --cpu-compiler gcc --json | sed 's/"bytes":[0-9]*/"bytes":N/'
PATH=$PWD/nothing
$ILCUDA check --bundle g.ilcuda --no-jit G5 --engine cpu --cache-dir "" || exit
$ILCUDA call --bundle g.ilcuda --no-jit G5 3 4 --engine cpu --cache-dir ""
$ILCUDA call --bundle g.ilcuda G5 3 4
