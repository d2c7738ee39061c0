$ILCUDA check bin/Programs.dll Volume NoSuch --engine ast; echo $?; $ILCUDA check bin/NamesCs.dll Sc Ambiguous --engine cpu
