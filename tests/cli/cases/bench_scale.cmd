$ILCUDA bench translate --scale --repeat 1 --json | python3 -c "
import json, sys
rows = [json.loads(line) for line in sys.stdin]
print([row['blocks'] // 10 * 10 for row in rows], sorted(rows[0]))"
$ILCUDA bench translate x.dll Method --scale
