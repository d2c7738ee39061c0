# Compiled engines have no memory for them: said, or left out of a whole assembly.
$ILCUDA check bin/NewArraysCs.dll SumOfSquares --engine cpu; echo $?
$ILCUDA check bin/NewArraysCs.dll SumOfSquares --engine ast; echo $?
$ILCUDA check bin/NewArraysVb.dll --engine cpu | tail -n 1
