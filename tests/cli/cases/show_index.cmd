$ILCUDA show bin/Programs.dll Cell --as cuda --index r,c
