$ILCUDA show bin/Tutorial.dll GramDto
