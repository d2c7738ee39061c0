$ILCUDA list --help
