$ILCUDA list bin/Programs.dll
