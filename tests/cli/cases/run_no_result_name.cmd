$ILCUDA run bin/Programs.dll "Volume[1,1,1]" --set a=1 --engine cpu --quiet
