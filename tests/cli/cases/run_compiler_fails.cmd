python3 data/npy.py make x.npy f4 4x3 ramp
$ILCUDA run bin/Tutorial.dll "s = RowSum[4]" --in x=x.npy --set cols=3 --engine cpu --cpu-compiler "$PWD/data/failing-cc" --cache-dir "" --quiet
