$ILCUDA run bin/Programs.dll "v = Volume" --set a=1 --engine cpu --quiet
