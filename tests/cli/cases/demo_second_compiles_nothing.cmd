export XDG_CACHE_HOME=$PWD/cache; $ILCUDA demo --json --engine cpu --rows 20 --cols 20 > /dev/null || exit
$ILCUDA demo --json --engine cpu --rows 20 --cols 20 | python3 -c "import json,sys; print([k[\"cached\"] for k in json.load(sys.stdin)[\"kernels\"]])"
