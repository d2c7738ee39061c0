$ILCUDA list bin/Tutorial.dll
