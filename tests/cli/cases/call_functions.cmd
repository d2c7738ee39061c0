for engine in il ast cpu; do
    $ILCUDA call --engine $engine bin/CasesVb.dll Case16_Power -- -2 3
    $ILCUDA call --engine $engine bin/CasesCs.dll Case16_Every 0.1 4
done
$ILCUDA call --libm=host bin/CasesVb.dll Case16_Power -- -2 3
