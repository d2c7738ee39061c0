for e in il ast cpu; do $ILCUDA call bin/GenericsCs.dll 'Second<Int32>' 1 2 --engine $e; done
$ILCUDA call bin/GenericsCs.dll 'Generics.Nested<Double,Int32>(Double,Int32)' 1.5 2
$ILCUDA call bin/GenericsCs.dll 'At<Vec3>' '[[1,2,3],[4,5,6]]' 1
$ILCUDA call bin/GenericsCs.dll 'At<Single[]>' '[[1,2],[4]]' 1; echo $?
$ILCUDA run bin/GenericsCs.dll 'z = Second<Single>[3]' --set a=7 --set b=4 --engine ast --out z=z.npy --quiet && tail -c 12 z.npy | od -An -tf4
$ILCUDA call bin/GenericsCs.dll 'Second<Intt>' 1 2; echo $?
$ILCUDA call bin/GenericsCs.dll 'Second<Int32,Int32>' 1 2; echo $?
$ILCUDA call bin/GenericsCs.dll 'second<Int32>(Double,Double)' 1 2; echo $?
