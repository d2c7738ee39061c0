$ILCUDA call bin/Tutorial.dll --batch data/requests.jsonl
