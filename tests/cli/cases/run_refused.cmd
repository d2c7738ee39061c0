$ILCUDA run bin/RefusedVb.dll "e = Prints[2]" --set a=1 --engine cpu --quiet
