python3 data/npy.py make x.npy f4 4x3 ramp
for cc in gcc clang tcc; do
    command -v $cc >/dev/null || continue
    $ILCUDA run bin/Tutorial.dll "s = RowSum[4]" --in x=x.npy --set cols=3 --engine cpu --cpu-compiler $cc --quiet --line-directives --out s=s.npy 2>/dev/null || echo $cc failed
    python3 data/npy.py show s.npy
done | sort -u
$ILCUDA run bin/Tutorial.dll "s = RowSum[4]" --in x=x.npy --set cols=3 --engine il --line-directives
echo $?
