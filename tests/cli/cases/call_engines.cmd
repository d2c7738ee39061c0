for e in il ast cpu; do $ILCUDA call bin/Tutorial.dll GramDot "[1,2,3,4]" 2 0 1 --engine $e; done
