$ILCUDA check bin/NamesCs.dll Sc Long --engine cpu; echo $?; $ILCUDA check bin/NamesCs.dll Long --engine cpu --json
