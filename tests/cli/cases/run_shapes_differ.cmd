python3 data/npy.py make a.npy f4 2x5 ramp; python3 data/npy.py make b.npy f4 10 ramp; python3 data/npy.py make c.npy f4 1x1x2x5 ramp
run() { $ILCUDA run bin/Tutorial.dll "r = PearsonClamp$3" --in cov=$1.npy --in denom=$2.npy --engine ast --quiet --out r=r.npy; echo $?; }
run a b
run b a
run c a
run c c
run a a
run a b "[10]"
