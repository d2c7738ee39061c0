$ILCUDA call bin/Programs.dll Scale "[1,2]" "[10,20]" -0.5 1 --json
