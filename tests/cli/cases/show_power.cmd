for name in Case16_Power Case16_PowerSingle Case16_Normal Case16_Sigmoid; do $ILCUDA show bin/CasesVb.dll $name; done
