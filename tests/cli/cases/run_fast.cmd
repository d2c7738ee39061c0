python3 data/npy.py make x.npy f4 4x3 0.1 0.7 -1.3 2.9 0.3 1.1 -0.6 0.9 1.7 -2.3 0.4 3.1
run() { $ILCUDA run "$@" --mode fast --json 2>/dev/null | grep -o '"method":"[^"]*"\|"deviation":{[^}]*}\|"notMeasured":"[^"]*"'; }
for engine in ast cpu; do
    run bin/Tutorial.dll 's = RowSumSq[rows]' 'd = GramDot[rows,rows]' --in x=x.npy --shape x=rows,cols --engine $engine
done
$ILCUDA run bin/Tutorial.dll 's = RowSumSq[rows]' --in x=x.npy --shape x=rows,cols --mode fast --engine il --quiet
echo $?
# a Sub's arrays are measured, too; arrays of arrays are not
run bin/ArraysVb.dll 'ScaleInPlace[rows,cols]' --in x=x.npy --shape x=rows,cols --set a=0.1 --engine cpu --out x=y.npy
python3 data/npy.py make m.npy f8 4x3 ramp
python3 data/npy.py make by.npy f8 4 ramp
run bin/ArraysVb.dll 'ScaleRow[n]' --in x=m.npy --in by=by.npy --shape by=n --engine cpu --out x=y.npy
