python3 data/npy.py make x.npy f4 4x3 ramp
run() { $ILCUDA run bin/Tutorial.dll "s = RowSum[4]" --in x=x.npy --set cols=3 --engine cpu --cpu-compiler "$PWD/data/breaking-cc" --cache-dir "" --quiet "$@"; echo $?; }
run 2>&1 | sed 's/^ilcuda: \(.*\): gcc [0-9.]* did not compile \(.*\): kernel.c:[0-9]*:[0-9]*: error:.*nothing.*/\1: \2, an error/'
run --line-directives 2>&1 | sed 's/^ilcuda: gcc [0-9.]* did not compile \(.*\): \(.*\):\([0-9]*\):[0-9]*: error:.*nothing.*/\1: \2 line \3, an error/'
$ILCUDA call bin/Tutorial.dll RowSum '[1,2,3]' 3 0 --engine cpu --cpu-compiler "$PWD/data/breaking-cc" --cache-dir "" 2>&1 |
    sed 's/^ilcuda: \(.*\): gcc [0-9.]* did not compile \(.*\): kernel.c:[0-9]*:[0-9]*: error:.*nothing.*/\1: \2, an error/'
