$ILCUDA show bin/ClosuresVb.dll '_Closure$__6-0._Lambda$__0' --as vb
$ILCUDA show bin/ClosuresCs.dll '<WithLocal>b__1' --as cs
$ILCUDA show bin/ClosuresCs.dll '<Evaluate>b__0' --as cs
$ILCUDA show bin/ClosuresCs.dll '<Along>b__0' --as cuda
$ILCUDA show bin/ClosuresCs.dll '<TwoLevels>b__0' --as il
