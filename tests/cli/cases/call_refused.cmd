$ILCUDA call bin/RefusedCs.dll Span 1 2
