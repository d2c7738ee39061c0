python3 data/npy.py make x.npy f4 400x400 ramp
nvidia-smi >/dev/null 2>&1 && exit 77
run() { timeout 2 $ILCUDA run bin/Tutorial.dll "d = GramDot[rows,rows]" --in x=x.npy --shape x=rows,cols --engine il "$@" 2>&1 | sed 's/about [0-9]* s/about N s/' | grep -v -e ^engine -e ' ms'; }
run
run --quiet
$ILCUDA demo --engine il --cols 4 2>&1 >/dev/null | grep matrix
$ILCUDA demo --engine il --cols 4 --quiet 2>&1 >/dev/null
