$ILCUDA show bin/VectorsVb.dll Canberra --rows a,b
$ILCUDA show bin/VectorsVb.dll Canberra --rows a,b --as cuda
$ILCUDA show bin/VectorsVb.dll Covariance --rows a,b --as cs
$ILCUDA show bin/VectorsVb.dll CheckedDot --rows a,b --as tile | grep -o 'il_[A-Za-z]*_tile('
$ILCUDA show bin/VectorsVb.dll Range --rows x --as tile | grep -o 'il_[A-Za-z]*_rows(' | head -1
$ILCUDA list bin/VectorsVb.dll --rows a,b
$ILCUDA list bin/GenericsCs.dll Exchange --rows x | grep Exchange
$ILCUDA show bin/VectorsVb.dll Canberra --rows a,b --index i; echo $?
$ILCUDA show bin/VectorsVb.dll Canberra --rows a,x; echo $?
