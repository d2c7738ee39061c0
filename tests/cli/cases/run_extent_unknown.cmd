$ILCUDA run bin/Programs.dll "v = Volume[n,1,1]" --set a=1 --engine cpu --quiet
