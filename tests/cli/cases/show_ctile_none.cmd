$ILCUDA show bin/Tutorial.dll RowSum --as ctile
