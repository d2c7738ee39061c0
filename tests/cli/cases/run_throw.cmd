python3 data/npy.py make x.npy f8 3 4 -1 9
$ILCUDA run bin/Programs.dll "r = Root[3]" --in x=x.npy --out r=r.npy --engine cpu --quiet
