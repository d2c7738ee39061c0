$ILCUDA run --help
