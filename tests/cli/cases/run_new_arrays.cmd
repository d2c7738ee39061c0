# An array is no kernel's result.
$ILCUDA run bin/NewArraysCs.dll 'y = Squares[4]' --index n --engine ast; echo $?
$ILCUDA run bin/NewArraysCs.dll 'y = Squares[4]' --engine ast; echo $?
$ILCUDA show bin/NewArraysCs.dll Squares --as cuda; echo $?
$ILCUDA show bin/NewArraysCs.dll Given --as c; echo $?
