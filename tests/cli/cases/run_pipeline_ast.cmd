export ENGINE=ast
python3 data/npy.py make x.npy f4 4x3 ramp
$ILCUDA run bin/Tutorial.dll "rowSum = RowSum[rows]" "rowSumSq = RowSumSq[rows]" "dot = GramDot[rows,rows]" \
    "corr = CorrelationCell[rows,rows]" "dist = DistanceCell[rows,rows]" --in x=x.npy --shape x=rows,cols \
    --out rowsum=s.npy --out dot=d.npy --out dist=e.npy --engine ${ENGINE:-cpu} --quiet || exit
for f in s d e; do python3 data/npy.py show $f.npy; done
