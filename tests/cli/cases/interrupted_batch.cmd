timeout -s INT --preserve-status 1 $ILCUDA call bin/Programs.dll --batch data/forever.jsonl --limit 60 --engine cpu
