# An array is no kernel's result.
$ILCUDA run bin/NewArraysCs.dll 'y = Squares[4]' --index n --engine ast; echo $?
$ILCUDA run bin/NewArraysCs.dll 'y = Squares[4]' --engine ast; echo $?
$ILCUDA show bin/NewArraysCs.dll SumOfSquares --as cuda
$ILCUDA show bin/NewArraysCs.dll Given --as c
# A kernel that makes one runs on the interpreters.
$ILCUDA run bin/RefusedVb.dll 'y = NewArray[4]' --set n=3 --engine ast --out y=y.npy --quiet && tail -c 16 y.npy | od -An -tu4
for e in c cuda; do $ILCUDA show bin/RefusedVb.dll NewArray --as $e; echo $?; done
$ILCUDA call bin/NewArraysCs.dll Same2 '[[1]]' --engine cpu; echo $?
$ILCUDA call bin/NewArraysCs.dll Squares 100000000 --engine cpu; echo $?
