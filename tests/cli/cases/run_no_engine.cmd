$ILCUDA run bin/Programs.dll "v = Volume[1,1,1]" --set a=1 --engine cpu --cpu-compiler /no/such/cc --quiet
