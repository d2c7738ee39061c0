python3 data/npy.py make x.npy f4 3 5 1 2; python3 data/npy.py make m.npy f4 3 2 0 0; python3 data/npy.py make c.npy i4 3 2 0 1; cp m.npy before.npy
$ILCUDA run bin/MemoryVb.dll "RunningMean" --in x=x.npy --in mean=m.npy --in n=c.npy --out mean=new.npy --out n=n.npy --engine cpu --quiet || exit
python3 data/npy.py show new.npy; python3 data/npy.py show n.npy; cmp m.npy before.npy && echo "the input is as it was"
