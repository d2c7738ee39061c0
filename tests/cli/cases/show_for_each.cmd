for method in GCContent ReverseBits FirstRepeated; do
    $ILCUDA show bin/NaturalVb.dll $method --as vb
done
$ILCUDA show bin/ArraysCs.dll Total --as vb
