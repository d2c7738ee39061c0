cat > make.py <<'END'
import struct
def npy(path, descr, size):
    head = "{'descr': %s, 'fortran_order': False, 'shape': (1,), }" % descr
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    open(path, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(size))
npy("name.npy", "[('X', '<f8'), ('Z', '<f8')]", 16)
npy("type.npy", "[('X', '<f8'), ('Y', '<i8')]", 16)
npy("more.npy", "[('X', '<f8'), ('Y', '<f8'), ('Z', '<f4')]", 20)
npy("long.npy", "[('X', '<f8'), ('Y', '<f8'), ('', '|V8')]", 24)
npy("plain.npy", "'<f8'", 8)
npy("array.npy", "[('X', '<f8', (2,))]", 16)
END
python3 make.py
for f in name type more long plain array; do
    $ILCUDA run bin/StructsCs.dll 's = Shifted[1]' --in p=$f.npy --set 'by=[1,2]' --out s=s.npy --engine il --quiet; echo $?
done
$ILCUDA run bin/StructsCs.dll 's = Shifted[1]' --in p=name.npy --set 'by=[1]' --out s=s.npy --engine il --quiet; echo $?
$ILCUDA run bin/StructsCs.dll 'mm = RowMinMax[rows]' --in x=plain.npy --shape x=rows --set cols=1 --out mm=m.npy --engine il --quiet; echo $?
