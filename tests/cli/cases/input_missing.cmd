$ILCUDA list no-such-file.dll
