$ILCUDA run bin/RefusedVb.dll "d = Jagged[2,2]" --engine cpu --quiet
