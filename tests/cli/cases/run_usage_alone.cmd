python3 data/npy.py make x.npy f4 2x3 ramp
run() { $ILCUDA run bin/Tutorial.dll "$@" --in x=x.npy --engine ast; echo $?; }
run "s = RowSum[2,3]" --set cols=3
run "s = RowSum[2]"
run "s = RowSum[2]" --set cols=1.5
run "s = RowSum(x, 3)[-2]"
run "s = RowSum(x)[2]" --set cols=3
