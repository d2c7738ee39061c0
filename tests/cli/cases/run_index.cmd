python3 data/npy.py make x.npy f4 2x3 1 2 3 4 5 6
$ILCUDA run bin/Programs.dll "c = Cell(x, 3)[2,2]" --in x=x.npy --index r,c --out c=c.npy --engine cpu --quiet || exit
python3 data/npy.py show c.npy
