python3 data/npy.py make x.npy f4 3 1 2 3; python3 data/npy.py make X.npy f4 3 10 20 30
run() { $ILCUDA run bin/NamesCs.dll "$@" --out r=r.npy --engine $e --quiet && python3 data/npy.py show r.npy; }
for e in il ast cpu; do
    run "r = Sc" --in a=x.npy --in A=X.npy
    run "r = Sc(A, a)" --in a=x.npy --in A=X.npy
    run "r = Sc(a, 5)" --in a=x.npy
    run "r = Sc" --in a=x.npy --set A=5
    run "r = At[3]" --in x=x.npy --in X=X.npy
    run "r = At(y, z)[3]" --in y=x.npy --in z=X.npy
    run "r = Taken[3]" --in il_out=x.npy --set IL_OUT=2
    run "r = Many[3]" --in X=X.npy --set N=100 --set I=1
    run "r = Many[3]" --in X=X.npy --set N=100 --set i=1 --index I
    run "Both(x, r, R)" --in x=x.npy --out R=s.npy && python3 data/npy.py show s.npy
done
$ILCUDA run bin/NamesCs.dll "r = Sc" --in a=x.npy --out r=r.npy --engine ast --quiet
