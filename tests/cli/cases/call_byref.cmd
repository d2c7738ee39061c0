for e in il ast cpu; do $ILCUDA call bin/MemoryVb.dll DivMod -17 5 0 9 --engine $e; done
$ILCUDA call bin/MemoryCs.dll Clamp 5 0 1 "#ffffffff" -1 --json
$ILCUDA call bin/MemoryVb.dll AddBoth 1 '{"same":0}'
