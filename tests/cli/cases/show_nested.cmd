$ILCUDA show bin/Programs.dll Stats+Inner.Total
