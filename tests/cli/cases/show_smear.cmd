$ILCUDA show bin/Programs.dll Smear
