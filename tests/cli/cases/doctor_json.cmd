$ILCUDA doctor --json | python3 -c "import json,sys; d = json.load(sys.stdin); print(sorted(d))"; exit ${PIPESTATUS[0]}
