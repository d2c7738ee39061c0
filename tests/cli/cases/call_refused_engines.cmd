for e in il ast cpu; do $ILCUDA call bin/RefusedVb.dll Prints 1 --engine $e; echo $?; done
