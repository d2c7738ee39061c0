$ILCUDA show bin/Tutorial.dll PearsonClamp --as vb
