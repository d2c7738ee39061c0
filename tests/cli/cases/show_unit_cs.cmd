$ILCUDA show bin/Tutorial.dll PearsonClamp --as cs --unit
