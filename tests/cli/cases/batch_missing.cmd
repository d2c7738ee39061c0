$ILCUDA call bin/Tutorial.dll --batch no-such-file.jsonl
