$ILCUDA check bin/CasesVb.dll Case16_Power Case16_Normal Case16_Polar Case16_CharOf Case16_Int Case16_Fix Case16_Logarithms --engine cpu
$ILCUDA check bin/CasesCs.dll Case16_Pow Case16_PowSingle Case16_Every Case16_EverySingle Case16_Softplus --engine cpu
