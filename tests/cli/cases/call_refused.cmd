$ILCUDA call bin/RefusedCs.dll Pointer 1 2
