python3 data/npy.py make a.npy f4 2x3 1 2 3 4 5 6; python3 data/npy.py make b.npy f4 3x2 1 0 0 1 2 2
python3 data/npy.py make y.npy f8 3x2 0 0 0 0 0 0; python3 data/npy.py make x.npy f8 2x3 1 2 3 4 5 6
for e in il ast cpu; do
    $ILCUDA run bin/ArraysVb.dll "c = Multiply[rows,cols]" "d = Multiply(c, c)[rows,cols]" --in a=a.npy --in b=b.npy \
        --shape a=rows,inner --shape b=inner,cols --out c=c.npy --out d=d.npy --engine $e --quiet || exit
    $ILCUDA run bin/ArraysVb.dll "Transpose[r,c]" --in x=x.npy --in y=y.npy --shape x=r,c --out y=t.npy --engine $e --quiet || exit
    python3 data/npy.py show c.npy; python3 data/npy.py show d.npy; python3 data/npy.py show t.npy
done
