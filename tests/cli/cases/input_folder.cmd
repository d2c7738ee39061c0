$ILCUDA list bin
