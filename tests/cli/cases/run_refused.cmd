$ILCUDA run bin/RefusedVb.dll "e = NextAbove[2]" --set x=1 --engine cpu --quiet
