$ILCUDA check bin/RefusedVb.dll NextAbove --engine cpu
