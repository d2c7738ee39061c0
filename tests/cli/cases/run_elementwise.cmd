python3 data/npy.py make p.npy f4 2x2 0 1 2 3
$ILCUDA run bin/Programs.dll "c = Blend(p, 10, t)" --in p=p.npy --set t=0.5 --out c=c.npy --engine cpu --quiet || exit
python3 data/npy.py show c.npy
