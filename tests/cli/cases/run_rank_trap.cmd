python3 data/npy.py make x.npy f4 2x3 1 2 3 4 5 6
for e in il ast cpu; do $ILCUDA run bin/ArraysVb.dll "c = At[2,4]" --in x=x.npy --engine $e --quiet; done
for e in il ast cpu; do $ILCUDA run bin/ArraysVb.dll "c = At[3,3]" --in x=x.npy --engine $e --quiet; done
