$ILCUDA list bin/RefusedVb.dll --summary --json
