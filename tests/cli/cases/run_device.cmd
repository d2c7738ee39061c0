$ILCUDA run bin/Programs.dll "r = Reciprocal[2]" --set d=null --engine cpu --quiet
