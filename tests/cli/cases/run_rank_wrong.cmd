python3 data/npy.py make a.npy f4 6 1 2 3 4 5 6; python3 data/npy.py make b.npy f4 3x2 1 0 0 1 2 2
$ILCUDA run bin/ArraysVb.dll "c = Multiply[2,2]" --in a=a.npy --in b=b.npy --engine cpu --quiet
