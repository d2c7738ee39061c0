# Arrays that a method makes and returns: as text, as JSON, and one of a callee's, null, structs.
for e in il ast; do $ILCUDA call bin/NewArraysCs.dll Squares 4 --engine $e; done
$ILCUDA call bin/NewArraysCs.dll OrNothing '[1]' false
$ILCUDA call bin/NewArraysCs.dll Marks 2 --json
$ILCUDA call bin/NewArraysCs.dll Same2 '[[1,2],[3,4]]' --json
$ILCUDA call bin/NewArraysVb.dll Histogram '[1,2,9]' -1; echo $?
for e in il ast; do $ILCUDA call bin/NewArraysCs.dll Squares 1000000000 --engine $e; echo $?; done
$ILCUDA check bin/NewArraysCs.dll Sorted
$ILCUDA list bin/NewArraysVb.dll
$ILCUDA show bin/NewArraysVb.dll Moving --as cs
$ILCUDA list bin/NewArraysCs.dll Squares --index n; echo $?
