python3 data/npy.py make x.npy f4 4 1 2 3 4
python3 data/npy.py make y.npy f4 4 10 20 30 40
for e in il ast cpu; do
    $ILCUDA run bin/ClosuresCs.dll '<Axpy>b__0[n]' --in x=x.npy --in y=y.npy --shape x=n --set a=0.5 --out y=$e.npy --engine $e --quiet || exit
    python3 data/npy.py show $e.npy
done
# what an element-wise lambda captures stays a scalar
$ILCUDA run bin/ClosuresCs.dll 'm = <Blend>b__0(x, y, 0.5)' --in x=x.npy --in y=y.npy --out m=m.npy --quiet
python3 data/npy.py show m.npy
