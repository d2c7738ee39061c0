# processes that end, or are killed, while the compiler is at work: it comes to its end, and the next process finds what it made
command -v tcc >/dev/null && command -v gcc >/dev/null || exit 77
unset ILCUDA_TIER
export XDG_CACHE_HOME=$PWD/cache
mkdir slow
printf '#!/bin/sh\ncase "$*" in *" -x c "*) sleep 3;; esac\nexec gcc "$@"\n' > slow/cc
chmod +x slow/cc
export PATH=$PWD/slow:$PATH
python3 data/npy.py make x.npy f4 40x33 ramp
python3 data/npy.py make big.npy f4 3000x33 ramp
sums() { $ILCUDA run bin/Tutorial.dll 's = RowSum[rows]' --in x=x.npy --shape x=rows,cols --engine cpu --quiet --json | grep -o '"entry":[^,]*\|"cached":[a-z]*\|"firstTier":[a-z]*'; }
squares() { exec $ILCUDA run bin/Tutorial.dll 'd = GramDot[rows,rows]' --in x=big.npy --shape x=rows,cols --engine cpu --quiet --json; }
at_work() { ls cache/ilcuda 2>/dev/null | grep -q '\.c\.tmp$'; }
until_done() { for i in $(seq 1500); do at_work || break; sleep 0.01; done; ls cache/ilcuda | grep -c 'so\.tmp$\|c\.tmp$\|failed'; }
sums
at_work && echo the compiler is at work
until_done
sums
squares > out & # waits for the tile
for i in $(seq 1500); do at_work && break; sleep 0.01; done
kill -9 $!; wait $! 2>/dev/null
at_work && echo the compiler is at work
until_done
squares | grep -o '"entry":[^,]*\|"cached":[a-z]*\|"firstTier":[a-z]*'
ls cache/ilcuda | grep -c tmp
true
