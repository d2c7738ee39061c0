$ILCUDA doctor --help
