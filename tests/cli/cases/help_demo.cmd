$ILCUDA demo --help
