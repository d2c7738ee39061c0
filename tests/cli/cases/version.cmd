$ILCUDA --version
