# all kernels of the tutorial, of both tiers: the same files
command -v tcc >/dev/null && command -v gcc >/dev/null || exit 77
unset ILCUDA_TIER
export XDG_CACHE_HOME=$PWD/cache
mkdir slow
printf '#!/bin/sh\ncase "$*" in *" -x c "*) sleep 3;; esac\nexec gcc "$@"\n' > slow/cc
chmod +x slow/cc
export PATH=$PWD/slow:$PATH
python3 data/npy.py make x.npy f4 40x33 ramp
python3 data/npy.py make v.npy f4 1320 ramp
run() {
    outs=(); for name in s q d c e p; do outs+=(--out $name=$1-$name.npy); done
    $ILCUDA run bin/Tutorial.dll 's = RowSum[rows]' 'q = RowSumSq[rows]' 'd = GramDot[rows,rows]' 'c = CorrelationCell(d, s, q, rows, cols)[rows,rows]' \
        'e = DistanceCell(d, q, rows)[rows,rows]' 'p = PearsonClamp(v, v)' --in x=x.npy --in v=v.npy --shape x=rows,cols --engine cpu "${outs[@]}" --json "${@:2}" 2>>errors |
        python3 -c 'import json,sys; print([k["firstTier"] for k in json.load(sys.stdin)["kernels"]])'
}
for mode in exact fma; do
    run first --mode $mode
    run best --mode $mode --tier best
    for name in s q d c e p; do cmp first-$name.npy best-$name.npy; done
done
grep -v '^engine\| = ' errors
true
