$ILCUDA show bin/RefusedVb.dll NextAbove --as cuda
