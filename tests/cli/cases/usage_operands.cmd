$ILCUDA show bin/Tutorial.dll
