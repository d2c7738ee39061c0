export ENGINE=ast
python3 data/npy.py make x.npy i4 4 8 9 10 11; python3 data/npy.py make d.npy i4 4 2 3 0 0
$ILCUDA run bin/Programs.dll "q = Divided[4]" --in x=x.npy --in d=d.npy --out q=q.npy --engine ${ENGINE:-cpu} --quiet
code=$?; test -e q.npy && echo "there is an output"; exit $code
