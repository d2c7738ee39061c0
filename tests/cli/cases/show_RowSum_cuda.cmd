$ILCUDA show bin/Tutorial.dll RowSum --as cuda
