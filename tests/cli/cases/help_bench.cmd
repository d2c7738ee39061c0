$ILCUDA bench --help
