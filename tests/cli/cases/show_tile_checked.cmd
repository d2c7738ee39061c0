$ILCUDA show bin/PairsVb.dll CheckedDot --as tile | sed -n '/^__device__ void il_CheckedDot_step(/,/^}/p;/il_values.at.q. = il_failed/p'
