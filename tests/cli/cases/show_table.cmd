$ILCUDA show bin/Memory2Cs.dll Tables.Smooth --as vb
$ILCUDA show bin/Memory2Cs.dll Tables.Smooth --as cuda | sed -n '1,/^}/p'
$ILCUDA show bin/Memory2Cs.dll Tables.Odds --as c | head -1
$ILCUDA show bin/Memory2Cs.dll Tables.Odds --as ir
