$ILCUDA check bin/Tutorial.dll RowSum --engine cpu --rounds 4 --json
