$ILCUDA show bin/PairsVb.dll Shifted --as tile | sed -n '/guard holds/,$p'
