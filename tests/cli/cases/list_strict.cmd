$ILCUDA list bin/Programs.dll --strict --summary
