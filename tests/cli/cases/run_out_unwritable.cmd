$ILCUDA run bin/Programs.dll "v = Volume[1,1,1]" --set a=1 --out v=/no/such/folder/v.npy --engine cpu --quiet
