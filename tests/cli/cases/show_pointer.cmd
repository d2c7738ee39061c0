for m in Sum ReadInt; do
    $ILCUDA show bin/PointersCs.dll $m --as cuda | sed -n '/__device__/,/^}/p'
    $ILCUDA show bin/PointersCs.dll $m --as vb
done
$ILCUDA show bin/LocalArraysVb.dll BlurAt --as cuda | sed -n '/__device__/,/^}/p'
$ILCUDA show bin/LocalArraysVb.dll BlurAt --as vb
