$ILCUDA call --libm=host --engine cpu bin/CasesVb.dll Case16_Power 2 3
