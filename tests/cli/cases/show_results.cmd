$ILCUDA show bin/NaturalCs.dll CoefficientOfVariation --as cs
$ILCUDA show bin/MemoryCs.dll Moved --as vb
$ILCUDA show bin/MemoryCs.dll Moved --as cs --lines
$ILCUDA show bin/NaturalFs.dll cross --as vb
$ILCUDA show bin/NaturalCs.dll Murmur --as cs
