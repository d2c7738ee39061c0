$ILCUDA call bin/CallsCs.dll TooWide 3 --engine il && $ILCUDA call bin/CallsCs.dll TooWide 3 --engine cpu
