$ILCUDA call bin/Tutorial.dll RowSum --batch data/requests.jsonl
