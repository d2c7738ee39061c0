$ILCUDA call bin/Programs.dll Forever 1 --limit 1 --engine cpu
