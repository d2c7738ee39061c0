$ILCUDA show bin/Tutorial.dll GramDot --as il
