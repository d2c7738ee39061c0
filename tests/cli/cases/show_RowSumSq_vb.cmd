$ILCUDA show bin/Tutorial.dll RowSumSq --as vb
