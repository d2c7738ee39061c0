$ILCUDA show bin/RowsVb.dll Blend --as tile
