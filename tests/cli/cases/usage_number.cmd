$ILCUDA demo --rows many
