$ILCUDA bench checks --size 8 --repeat 2 --engine cpu --json | python3 -c "
import json, sys
for e in json.load(sys.stdin):
    print(e['engine'], e['size'], e['rounds'], [(k['kernel'], k['guarded']) for k in e['kernels']], sorted(e['kernels'][0]))"
$ILCUDA bench checks --size 8 --repeat 2 --engine cpu --mode fma | sed -n '1s/.*8 x 8, mode/mode/p'
$ILCUDA bench translate --mode fma
$ILCUDA bench checks --size 8 --repeat 2 --engine ast
