$ILCUDA show bin/Tutorial.dll CorrelationCell --as tile
