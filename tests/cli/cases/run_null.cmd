$ILCUDA run bin/Programs.dll "r = Root[3]" --set x=null --out r=r.npy --engine cpu --quiet
