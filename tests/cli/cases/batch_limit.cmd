$ILCUDA call bin/Programs.dll --batch data/forever.jsonl --limit 0.3
