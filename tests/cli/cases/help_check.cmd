$ILCUDA check --help
