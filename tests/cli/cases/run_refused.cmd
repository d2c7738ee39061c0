$ILCUDA run bin/RefusedVb.dll "e = Exponential[2]" --set x=1 --engine cpu --quiet
