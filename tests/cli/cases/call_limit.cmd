$ILCUDA call bin/Programs.dll Forever 1 --limit 0.2
