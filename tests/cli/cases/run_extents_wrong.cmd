$ILCUDA run bin/Programs.dll "v = Volume[2]" --set a=1 --engine cpu --quiet
