$ILCUDA call bin/CasesVb.dll Case26_Guard '[5,-1,3]' 0 --checks off --engine cpu
$ILCUDA call bin/CasesVb.dll Case26_Guard '[5,-1,3]' 0 --checks off
