$ILCUDA call bin/MemoryVb.dll AddAll "[1]" '{"same":0}'
