python3 data/npy.py make x.npy f4 2x3 ramp; $ILCUDA run bin/Tutorial.dll "s = RowSum[rows]" --in x=x.npy --shape x=rows --engine cpu --quiet
