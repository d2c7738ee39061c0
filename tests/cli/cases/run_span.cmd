python3 data/npy.py make x.npy f4 4 1 2 3 4; python3 data/npy.py make y.npy f4 4 10 20 30 40
for e in il ast cpu; do
    $ILCUDA run bin/SpansCs.dll 'Axpy[4]' --in x=x.npy --in y=y.npy --set a=2 --out y=o.npy --engine $e --quiet || exit
    python3 data/npy.py show o.npy
done
