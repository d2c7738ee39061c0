$ILCUDA show --help
