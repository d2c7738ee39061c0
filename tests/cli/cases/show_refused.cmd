$ILCUDA show bin/RefusedVb.dll Exponential --as cuda
