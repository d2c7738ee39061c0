$ILCUDA run bin/Programs.dll "v = Volume[1,1,1]" --engine cpu --quiet
