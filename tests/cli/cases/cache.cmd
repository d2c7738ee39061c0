export XDG_CACHE_HOME=$PWD/cache
$ILCUDA cache info --json | sed "s|$PWD||"
$ILCUDA call bin/Programs.dll Inner.Total 1 2 --engine cpu
$ILCUDA cache info --json | python3 -c "import json,sys; d = json.load(sys.stdin); print(d['entries'] > 0, d['bytes'] > 0)"
$ILCUDA cache clear > /dev/null
$ILCUDA cache clear --json
