$ILCUDA show bin/Memory2Vb.dll NextUp --as cuda | sed -n '/^typedef/,/^}$/p'
$ILCUDA show bin/Memory2Vb.dll NextUp --as vb
$ILCUDA show bin/Memory2Cs.dll Grow --as cuda 2>/dev/null | sed -n '/__device__/,/^}/p'
$ILCUDA show bin/Memory2Cs.dll Fixed --as vb | sed -n '/^Shared/,/^End/p'
