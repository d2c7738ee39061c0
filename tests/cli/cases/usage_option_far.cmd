$ILCUDA list bin/Tutorial.dll --frobnicate=3
