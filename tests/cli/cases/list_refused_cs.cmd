$ILCUDA list bin/RefusedCs.dll
