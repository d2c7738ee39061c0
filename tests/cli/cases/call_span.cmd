$ILCUDA call bin/SpansCs.dll Dot '[1,2]' '[3,4,5]'
$ILCUDA call bin/SpansCs.dll Sum null --engine ast
$ILCUDA call bin/SpansCs.dll Shift '[1,2,3,4,5]' 0 1 4
$ILCUDA call bin/SpansCs.dll SumPart '[1,2,3]' 2 2
