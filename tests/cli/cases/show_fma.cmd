$ILCUDA show bin/Tutorial.dll RowSum --mode fma
