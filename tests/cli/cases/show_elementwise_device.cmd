$ILCUDA show bin/Programs.dll Inner.Total --as cuda
