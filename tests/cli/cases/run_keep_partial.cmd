python3 data/npy.py make x.npy i4 4 8 9 10 11; python3 data/npy.py make d.npy i4 4 2 3 0 5
$ILCUDA run bin/Programs.dll "q = Divided[4]" "never = Divided[4]" --in x=x.npy --in d=d.npy --out q=q.npy --out never=n.npy --engine cpu --quiet --keep-partial
code=$?; python3 data/npy.py show q.npy; test -e n.npy && echo "there is another output"; exit $code
