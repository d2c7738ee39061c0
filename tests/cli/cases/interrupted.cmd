timeout -s INT --preserve-status 1 $ILCUDA call bin/Programs.dll Forever 1 --limit 60
