$ILCUDA shwo
