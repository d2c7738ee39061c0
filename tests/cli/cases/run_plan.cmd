python3 data/npy.py make x.npy f8 9x40 $(seq -5 0.25 84.75)
over() { $ILCUDA run bin/VectorsVb.dll "$@" --rows a,b,x --in x=x.npy --in s=s.npy --shape x=n,cols --plan 2>&1 | grep -v '^engine\|^[a-z]* = '; }
python3 data/npy.py make s.npy f4 9x40 $(seq -5 0.25 84.75)
over 'c = Canberra(x, x)[n,n]' 'r = Range(s)[n]' --out c=c.npy --engine cpu
over 'c = Canberra(x, x)[n,n]' 'r = Range(s)[n]' --out c=c.npy --engine cpu --schedule tile
over 'c = Canberra(x, x)[n,n]' 'r = Range(s)[n]' --out c=c.npy --engine ast
over 'c = Canberra(x, x)[n,n]' 'r = Range(s)[n]' --out c=c.npy --engine cpu --json --quiet | python3 -c '
import json, sys
for kernel in json.load(sys.stdin)["kernels"]: print(kernel["method"], kernel["plan"][-1])'
$ILCUDA run bin/Tutorial.dll 'd = GramDot(z, 4)[2,2]' --in z=s.npy --out d=d.npy --engine cpu --plan --checks off 2>&1 | grep -v '^engine\|^d = '
