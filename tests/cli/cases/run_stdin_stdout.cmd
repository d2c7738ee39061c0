python3 data/npy.py make x.npy f4 2x3 1 2 3 4 5 6
$ILCUDA run bin/Tutorial.dll "s = RowSum[rows]" --in x=- --shape x=rows,cols --out s=- --engine cpu --quiet < x.npy > s.npy || exit
python3 data/npy.py show s.npy
