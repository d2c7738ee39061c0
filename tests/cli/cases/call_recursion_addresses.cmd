for engine in il ast cpu; do
    $ILCUDA call bin/CallsCs.dll Turns 1000 3 4 --engine $engine
done
