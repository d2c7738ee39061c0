head -c 2000 bin/Tutorial.dll > cut.dll; $ILCUDA list cut.dll
