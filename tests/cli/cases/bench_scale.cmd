$ILCUDA bench translate --scale stores calls --repeat 1 --json | python3 -c "
import json, sys
rows = [json.loads(line) for line in sys.stdin]
print([(row['shape'], row['size']) for row in rows], sorted(rows[0]))"
(ulimit -s 1024; $ILCUDA bench translate --scale nest loops cases counters choices conditions deep wide --repeat 1 --json | wc -l)
$ILCUDA bench translate --scale round
