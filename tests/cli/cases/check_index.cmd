$ILCUDA check bin/Programs.dll Cell --engine cpu --index r,c --rounds 6
