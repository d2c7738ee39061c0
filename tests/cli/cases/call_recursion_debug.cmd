for engine in il ast cpu; do
    for build in CallsCs CallsCsDebug; do
        $ILCUDA call bin/$build.dll WrapAround 3 10000 --engine $engine
    done
done
