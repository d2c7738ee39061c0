$ILCUDA check bin/RefusedVb.dll Exponential --engine cpu
