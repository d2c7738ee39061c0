python3 data/npy.py make x.npy f4 400x400 ramp
nvidia-smi >/dev/null 2>&1 && exit 77
# The estimate comes before the work, of which nobody waits for the end.
run() {
    $ILCUDA run bin/Tutorial.dll "d = GramDot[rows,rows]" --in x=x.npy --shape x=rows,cols --engine il "$@" >said.txt 2>&1 &
    for _ in $(seq "$tenths"); do grep -q about said.txt && break; sleep 0.1; done
    kill $! && wait $! 2>/dev/null
    sed 's/about [0-9]* s/about N s/' said.txt | grep -v -e ^engine -e ' ms'
}
tenths=300 run
tenths=20 run --quiet
$ILCUDA demo --engine il --cols 4 2>&1 >/dev/null | grep matrix
$ILCUDA demo --engine il --cols 4 --quiet 2>&1 >/dev/null
