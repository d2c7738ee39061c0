$ILCUDA doctor --cpu-compiler /no/such/cc > /dev/null
