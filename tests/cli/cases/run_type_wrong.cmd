python3 data/npy.py make x.npy i4 2 8 9; $ILCUDA run bin/Programs.dll "r = Root[2]" --in x=x.npy --engine cpu --quiet
