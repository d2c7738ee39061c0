$ILCUDA call bin/Programs.dll --batch - < data/programs.jsonl
