$ILCUDA show bin/ArraysVb.dll Multiply --as vb; $ILCUDA show bin/ArraysVb.dll Multiply --as c
$ILCUDA show bin/ArraysVb.dll PutAndRead --as vb
