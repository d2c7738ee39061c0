python3 data/npy.py make x.npy f8 3x4 1 2 3 4 4 3 2 1 0.5 -1 7 2
python3 data/npy.py make y.npy f8 2x4 0 1 0 1 9 8 7 6
for e in il ast cpu; do
    $ILCUDA run bin/VectorsCs.dll 'c = Canberra(x, y)[n,m]' 'v = Covariance(x, x)[n,n]' 'a = Mean(x)[n]' --rows a,b,first,second,data --in x=x.npy --in y=y.npy \
        --shape x=n,cols --shape y=m,ycols --out c=c.npy --out v=v.npy --out a=a.npy --engine $e --quiet || exit
    for f in c v a; do python3 data/npy.py show $f.npy; done
done
python3 data/npy.py make k.npy i4 3x2 1 2 3 5 8 13
$ILCUDA run bin/VectorsVb.dll 'r = Lagged(x, 1)[n]' --rows x --in x=k.npy --shape x=n,c --out r=r.npy --engine cpu --quiet && python3 data/npy.py show r.npy
# element 1 raises: the lengths differ
python3 data/npy.py make z.npy f8 1x3 1 2 3
$ILCUDA run bin/VectorsCs.dll 'c = Canberra(x, y)[3,1]' --rows a,b --in x=x.npy --in y=z.npy --out c=c.npy --engine cpu --quiet; echo $?
$ILCUDA run bin/VectorsCs.dll 'c = Canberra(x, x)[3,4]' --rows a,b --in x=x.npy --out c=c.npy --engine cpu --quiet; echo $?
$ILCUDA run bin/VectorsCs.dll 'c = Canberra(x, x)[3,4]' --rows a,q --in x=x.npy --out c=c.npy; echo $?
$ILCUDA run bin/VectorsCs.dll 'c = Normalise(x)[3]' --rows a --in x=x.npy --out c=c.npy --engine il; echo $?
