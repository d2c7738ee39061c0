python3 data/npy.py make x.npy f4 4x3 ramp
$ILCUDA run bin/Tutorial.dll "s = RowSum[4]" --in x=x.npy --set cols=3 --out s=s.npy --engine cpu --cpu-compiler "$PWD/data/wrong-cc" --cache-dir "" --quiet
code=$?; test -e s.npy && echo "there is an output"; exit $code
