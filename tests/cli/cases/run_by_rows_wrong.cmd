# What is wrong with the rows is said, whatever else was asked for.
python3 - <<'P'
open("x.npy", "wb").write(b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }".ljust(117) + b"\n" + bytes(16))
P
for rows in a,a '' nobody; do
    $ILCUDA run bin/VectorsCs.dll 'd = Manhattan(x, x)[rows,rows]' --rows "$rows" --in x=x.npy --shape x=rows,cols --out d=o.npy; echo $?
done
ls
