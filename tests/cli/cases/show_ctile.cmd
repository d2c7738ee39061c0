$ILCUDA show bin/PairsVb.dll MeanGap --as ctile | sed -n '/void il_MeanGap_step/,/^}/p'; $ILCUDA show bin/PairsVb.dll CheckedDot --as ctile | sed -n '/void il_CheckedDot_step/,/^}/p'
$ILCUDA show bin/Tutorial.dll DistanceCell --as ctile | sed -n '/p_j = /,/il_to = /p'
