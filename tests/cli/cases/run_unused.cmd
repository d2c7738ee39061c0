python3 data/npy.py make x.npy f4 2x3 ramp
run() { $ILCUDA run bin/Tutorial.dll "s = RowSum[n]" --in x=x.npy --shape x=n,cols --engine ast "$@"; echo $?; }
run --set colz=3
run --in unused=x.npy
run --set i=3
run --set N=2
run --in X=x.npy
run --set cols=3 --quiet
$ILCUDA run bin/Tutorial.dll "s = RowSum(x, c)[rows]" --in x=x.npy --set c=3 --set rows=2 --engine ast --quiet
$ILCUDA run bin/Tutorial.dll "s = RowSum(y, 3)[2]" --in y=x.npy --in x=x.npy --engine ast --quiet
