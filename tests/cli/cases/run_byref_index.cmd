python3 data/npy.py make a.npy i4 2 17 9
$ILCUDA run bin/MemoryVb.dll "DivMod[2]" --in b=a.npy --index a --out q=q.npy --engine il --quiet
