: > empty.dll; $ILCUDA list empty.dll
