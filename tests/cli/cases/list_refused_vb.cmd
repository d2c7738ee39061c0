$ILCUDA list bin/RefusedVb.dll
