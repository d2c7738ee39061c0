$ILCUDA list bin/Programs.dll --all ctor
