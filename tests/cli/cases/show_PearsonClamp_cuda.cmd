$ILCUDA show bin/Tutorial.dll PearsonClamp --as cuda
