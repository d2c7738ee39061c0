$ILCUDA check bin/Tutorial.dll RowSumSq --mode fast --engine ast
$ILCUDA check bin/Tutorial.dll RowSumSq --mode fast --engine ast --json
