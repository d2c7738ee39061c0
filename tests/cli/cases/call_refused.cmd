$ILCUDA call bin/RefusedCs.dll OutParameter 1 2
