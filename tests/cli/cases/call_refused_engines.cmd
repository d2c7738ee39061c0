for e in il ast cpu; do $ILCUDA call bin/RefusedVb.dll NextAbove 1 --engine $e; echo $?; done
