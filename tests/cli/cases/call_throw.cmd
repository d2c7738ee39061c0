$ILCUDA call bin/Programs.dll Root "[-4]" 0
