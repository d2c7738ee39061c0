$ILCUDA call bin/Programs.dll Reciprocal "[0]"
