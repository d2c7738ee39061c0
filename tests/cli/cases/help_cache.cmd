$ILCUDA cache --help
