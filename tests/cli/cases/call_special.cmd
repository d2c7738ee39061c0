$ILCUDA call bin/Tutorial.dll PearsonClamp -Infinity 2
