$ILCUDA run bin/Tutorial.dll "s = RowSum[n]" --in x=no-such-file.npy --engine cpu --quiet
