python3 data/npy.py make a.npy i4 2x2 17 -17 9 4
for e in il ast cpu; do
    $ILCUDA run bin/MemoryVb.dll "DivMod(a, 5, q, rest)" "n = NextOf(q)" --in a=a.npy --out q=q.npy --out REST=r.npy --out n=n.npy --engine $e --quiet || exit
    python3 data/npy.py show q.npy; python3 data/npy.py show r.npy; python3 data/npy.py show n.npy
done
