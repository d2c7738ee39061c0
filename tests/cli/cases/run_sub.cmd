python3 data/npy.py make x.npy f4 3 1 2 3; python3 data/npy.py make y.npy f4 3 10 20 30; cp y.npy before.npy
$ILCUDA run bin/Programs.dll "Scale[n]" --in x=x.npy --in Y=y.npy --shape x=n --set a=0.5 --out y=new.npy --engine cpu --quiet || exit
python3 data/npy.py show new.npy; cmp y.npy before.npy && echo "the input is as it was"
