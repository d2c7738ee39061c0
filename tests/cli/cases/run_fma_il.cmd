python3 data/npy.py make x.npy f4 4x3 ramp
$ILCUDA run bin/PairsVb.dll 'd = Dot[rows,rows]' --in x=x.npy --shape x=rows,cols --mode fma --engine il
