$ILCUDA call bin/RefusedCs.dll Generic 1
