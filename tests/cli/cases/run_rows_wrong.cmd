python3 data/npy.py make x.npy f8 4 1 2 3 4; python3 data/npy.py make y.npy i4 2x2 1 2 3 4
$ILCUDA run bin/ArraysVb.dll "ScaleRow(x, x)[2]" --in x=x.npy --engine cpu --quiet
$ILCUDA run bin/ArraysVb.dll "ScaleRow(y, x)[2]" --in x=x.npy --in y=y.npy --engine cpu --quiet
python3 data/npy.py make x.npy f8 2x2 1 2 3 4
$ILCUDA run bin/ArraysVb.dll "ScaleRow(x, x)[2]" --in x=x.npy --engine cpu --quiet
$ILCUDA run bin/ArraysVb.dll "FromNext(y)[1]" --in y=y.npy --engine cpu --quiet
$ILCUDA run bin/RefusedVb.dll "d = Matrices[2,2]" --engine cpu --quiet
