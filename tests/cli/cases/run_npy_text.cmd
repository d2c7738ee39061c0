echo hello > x.npy; $ILCUDA run bin/Tutorial.dll "s = RowSum[n]" --in x=x.npy --engine cpu --quiet
