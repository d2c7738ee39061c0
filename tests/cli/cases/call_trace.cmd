$ILCUDA call bin/Programs.dll Inner.Total 2 3 --trace
