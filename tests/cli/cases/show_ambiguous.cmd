$ILCUDA show bin/Programs.dll Total
