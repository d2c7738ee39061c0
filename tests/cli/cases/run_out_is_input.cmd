python3 data/npy.py make x.npy f4 2x3 ramp; cp x.npy before; ln -s x.npy link; ln x.npy hard; cp bin/Tutorial.dll t.dll
run() { $ILCUDA run t.dll "s = RowSum[2]" --in x=x.npy --set cols=3 --engine ast --quiet "$@"; echo $?; }
run --out s=x.npy
run --out s=./x.npy
run --out s=link
run --out s=hard
run --out x=x.npy
run --out s=t.dll
run --out s=new.npy --out x=./new.npy
run --out s=/dev/null --out x=/dev/null
cmp x.npy before && cmp t.dll bin/Tutorial.dll && ls
