$ILCUDA list bin/Tutorial.dll --sumary
