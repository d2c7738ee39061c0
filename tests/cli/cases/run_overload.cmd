python3 data/npy.py make x.npy f8 2x2 1e300 1 2 3
$ILCUDA run bin/Programs.dll "t = Stats.Total[2]" --in x=x.npy --set cols=2 --out t=t.npy --engine cpu --quiet || exit
python3 data/npy.py show t.npy
$ILCUDA run bin/Programs.dll "t = Stats.Total(Double[],Int32,Int32)(x, 1)[2]" --in x=x.npy --out t=t.npy --engine cpu --quiet || exit
python3 data/npy.py show t.npy
