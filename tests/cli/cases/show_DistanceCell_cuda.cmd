$ILCUDA show bin/Tutorial.dll DistanceCell --as cuda
