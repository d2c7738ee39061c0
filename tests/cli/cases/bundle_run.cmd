uname -m | grep -q x86_64 || exit 77
command -v gcc >/dev/null || exit 77
mkdir nothing # no compiler is found there
python3 data/npy.py make x.npy f4 4x3 ramp
$ILCUDA build bin/Tutorial.dll RowSum GramDot --out t.ilcuda --cpu-compiler gcc >/dev/null || exit
PATH_=$PATH PATH=$PWD/nothing
$ILCUDA run --bundle t.ilcuda --no-jit "s = RowSum[rows]" "d = GramDot[rows,rows]" --in x=x.npy --shape x=rows,cols \
    --out s=s.npy --out d=d.npy --engine cpu --cache-dir "" --quiet || exit
PATH=$PATH_
for f in s d; do python3 data/npy.py show $f.npy; done
