$ILCUDA show bin/Tutorial.dll --as cs
