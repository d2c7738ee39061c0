$ILCUDA show bin/Tutorial.dll PearsonClamp --json
