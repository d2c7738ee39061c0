$ILCUDA run bin/Programs.dll "v = Volume[1,1,1]" --set a=1 --out w=w.npy --engine cpu --quiet
