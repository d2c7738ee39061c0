$ILCUDA --help
