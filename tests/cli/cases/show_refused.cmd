$ILCUDA show bin/RefusedVb.dll Prints --as cuda
