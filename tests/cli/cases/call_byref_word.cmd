$ILCUDA call bin/MemoryVb.dll Inc "[1]"
