python3 data/npy.py make a.npy i4 2 17 9
$ILCUDA run bin/MemoryVb.dll "DivMod(a, 5, 0, r)" --in a=a.npy --out r=r.npy --engine il --quiet
