$ILCUDA call --help
