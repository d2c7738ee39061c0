$ILCUDA show bin/RowsVb.dll Running --as tile | sed -n '/guard holds/,$p'
