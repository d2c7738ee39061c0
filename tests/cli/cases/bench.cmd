$ILCUDA bench translate --repeat 3 --json | python3 -c "import json,sys; print(sorted(json.load(sys.stdin)))"
