for engine in il ast cpu; do
    for call in "Guarded null 1 1 1" "Guarded [1] -1 1 1" "Guarded [1] 0 0 1" "Guarded [1] 0 1 -9" "GuardedUnsigned 0 7 200"; do
        $ILCUDA call bin/CallsCs.dll $call --engine $engine
    done
done
exit 0
