$ILCUDA list bin/Tutorial.dll --strict --summary
