$ILCUDA bench translate bin/Programs.dll Blend --repeat 2 > /dev/null
