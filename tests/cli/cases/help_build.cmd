$ILCUDA build --help
