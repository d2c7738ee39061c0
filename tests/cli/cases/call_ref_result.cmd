$ILCUDA call bin/Memory2Cs.dll AddTo '[1,2,3]' 1 0.5
$ILCUDA call bin/Memory2Cs.dll UseMade 5
$ILCUDA call bin/Memory2Cs.dll UseMade 5 --engine ast
$ILCUDA call bin/Memory2Cs.dll UseOwn 5 --engine ast
$ILCUDA show bin/Memory2Cs.dll AddTo --as vb
$ILCUDA show bin/Memory2Cs.dll AddTo --as cuda | sed -n '/__device__/,/^}/p'
$ILCUDA call bin/Memory2Cs.dll UseOwn 5
