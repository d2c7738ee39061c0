$ILCUDA show bin/Tutorial.dll RowSum --as ptx --arch 8.6
