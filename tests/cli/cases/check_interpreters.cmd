$ILCUDA check bin/Programs.dll --engine ast --rounds 8 2>&1 | tail -n 1
