$ILCUDA show bin/RowsVb.dll Share --as tile | sed -n '/guard holds/,$p'
