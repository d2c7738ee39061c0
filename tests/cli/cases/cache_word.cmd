$ILCUDA cache frob
