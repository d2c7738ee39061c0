python3 data/npy.py make x.npy f8 2x3 1 2 3 4 5 6; python3 data/npy.py make by.npy f8 2 10 100
python3 data/npy.py make c.npy f8 2x1x2 2 4 6 8; python3 data/npy.py make y.npy f8 3x2 0 0 0 0 0 0
for e in il ast cpu; do
    $ILCUDA run bin/ArraysVb.dll "ScaleRow[rows]" "Transpose[rows,cols]" "ScaleRow(x, by)[rows]" --in x=x.npy --in by=by.npy --in y=y.npy \
        --shape x=rows,cols --out x=o.npy --out y=t.npy --engine $e --quiet || exit
    $ILCUDA run bin/ArraysCs.dll "Halve(c)[2,1]" --in c=c.npy --out c=h.npy --engine $e --quiet || exit
    python3 data/npy.py show o.npy; python3 data/npy.py show t.npy; python3 data/npy.py show h.npy
done
