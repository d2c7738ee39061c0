python3 data/npy.py make x.npy f8 3x4 1 2 3 4 4 3 2 1 0.5 -1 7 2
$ILCUDA build bin/VectorsCs.dll Canberra Mean --rows a,b,data --isa x86-64 --out v.ilcuda >/dev/null || exit
$ILCUDA run --bundle v.ilcuda --no-jit 'c = Canberra(x, x)[n,n]' 'm = Mean(x)[n]' --rows a,b,data --in x=x.npy --shape x=n,cols --out c=c.npy --out m=m.npy --engine cpu --quiet || exit
python3 data/npy.py show c.npy
python3 data/npy.py show m.npy
$ILCUDA build bin/VectorsCs.dll --rows a; echo $?
