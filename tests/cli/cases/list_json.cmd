$ILCUDA list bin/Programs.dll --json
