$ILCUDA show bin/Tutorial.dll RowSum --as vb
