python3 data/npy.py make x.npy f8 2x2 1 2 3 4
for e in il ast cpu; do $ILCUDA run bin/ArraysVb.dll "Transpose(x, x)[2,2]" --in x=x.npy --out x=t.npy --engine $e --quiet; done
