$ILCUDA call bin/Programs.dll --batch data/forever.jsonl --limit 1 --engine cpu
