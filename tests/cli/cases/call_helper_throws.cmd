for engine in il ast cpu; do
    for call in "ThrowsByHelper -1" "ThrowsByHelper 50" "ThrowsByChoice -20" "ThrowsByChoice 20" "ThrowsByLocal 6" "ThrowsInExpression 1"; do
        $ILCUDA call bin/CallsCs.dll $call --engine $engine
    done
done
exit 0
