$ILCUDA check bin/PairsVb.dll Dot --engine ast --schedule tile; echo $?
$ILCUDA check bin/PairsVb.dll Dot --engine ast --schedule nonsense; echo $?
