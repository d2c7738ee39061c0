$ILCUDA check bin/PairsVb.dll --mode fma --engine cpu --rounds 4 | tail -1
$ILCUDA check bin/PairsVb.dll Dot --mode fma --engine ast
echo $?
