$ILCUDA demo --rows 100000 --engine cpu
