$ILCUDA list bin/Programs.dll inner
