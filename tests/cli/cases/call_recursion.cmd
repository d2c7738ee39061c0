for engine in il ast cpu; do
    for call in "Ackermann 2 3" "SumToZero 255" "SumToZero 256" "CycleA 500"; do
        $ILCUDA call bin/CallsVb.dll $call --engine $engine
    done
done
exit 0
