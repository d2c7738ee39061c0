$ILCUDA call --engine il bin/Memory2Cs.dll Memory2.Made 1
