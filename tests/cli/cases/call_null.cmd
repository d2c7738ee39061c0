$ILCUDA call bin/Programs.dll Reciprocal null
