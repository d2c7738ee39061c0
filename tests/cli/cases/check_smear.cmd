$ILCUDA check bin/Programs.dll Smear --engine cpu
