python3 data/npy.py make y.npy f4 3 1 2 3; $ILCUDA run bin/Programs.dll "Smear[2]" --in y=y.npy --engine cpu --quiet
