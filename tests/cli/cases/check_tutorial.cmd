$ILCUDA check bin/Tutorial.dll --engine cpu --rounds 8
