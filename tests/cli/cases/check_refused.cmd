$ILCUDA check bin/RefusedVb.dll Prints --engine cpu
