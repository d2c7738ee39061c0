$ILCUDA list bin/ClosuresCs.dll Closures+ --all | grep -v ctor
$ILCUDA list bin/ClosuresCs.dll Model. --all | grep -v ctor
$ILCUDA list bin/ClosuresVb.dll _Lambda --all
$ILCUDA list bin/ClosuresFs.dll Closures+ --all
