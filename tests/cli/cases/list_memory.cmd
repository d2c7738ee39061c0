$ILCUDA list bin/MemoryVb.dll --summary; $ILCUDA list bin/MemoryCs.dll --summary
