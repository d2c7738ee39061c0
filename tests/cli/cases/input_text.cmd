echo "this is no assembly" > text.dll; $ILCUDA list text.dll
