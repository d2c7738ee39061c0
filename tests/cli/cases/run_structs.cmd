cat > make.py <<'END'
import struct
def npy(path, descr, shape, data):
    head = "{'descr': %s, 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    open(path, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)
npy("x.npy", "'<f4'", "(2, 3)", struct.pack("<6f", 3, 1, 2, -4, 9, 0))
npy("v.npy", "[('x', '<f8'), ('Y', '<f8')]", "(2,)", struct.pack("<4d", 4, 6, 1, 2))
npy("m.npy", "[('A', '|u1'), ('', '|V7'), ('B', '<f8'), ('C', '<i2'), ('', '|V6')]", "(2,)",
    struct.pack("<B7xdh6xB7xdh6x", 1, 0.5, -2, 2, 0.25, 3))
npy("a.npy", "'<i4'", "(2,)", struct.pack("<2i", 7, -7))
npy("b.npy", "'<i4'", "(2,)", struct.pack("<2i", 2, 2))
END
cat > show.py <<'END'
import struct, sys
for path in sys.argv[2:]:
    data = open(path, "rb").read()
    length = struct.unpack("<H", data[8:10])[0]
    print(path, data[10:10 + length].decode().strip(), struct.unpack(sys.argv[1], data[10 + length:]))
END
python3 make.py
for e in il ast cpu; do
    run="$ILCUDA run bin/StructsCs.dll --engine $e --quiet"
    echo "$e"
    $run 'mm = RowMinMax[rows]' --in x=x.npy --shape x=rows,cols --out mm.Min=min.npy --out mm.max=max.npy || exit
    python3 show.py 2f min.npy max.npy
    $run 's = Shifted[2]' --in p=v.npy --set 'by=[1,2]' --out s=s.npy && python3 show.py 2d s.npy
    $run 'q = DivRem' --in a=a.npy --in b=b.npy --out q.Quotient=q.npy && python3 show.py 2i q.npy
    $run 'n = Nested(a, x)' --in a=a.npy --set x=1.5 --out n.Inner_B=n.npy --out n.X=n2.npy && python3 show.py 2i n.npy && python3 show.py 2d n2.npy
    $run 'ScaleByRef(v, by)' --in v=v.npy --set by=2 --out v=v2.npy && python3 show.py 4d v2.npy
    $run 'FillMixed(m)[1]' --in m=m.npy --out m=m2.npy && python3 show.py '<B7xdh6xB7xdh6x' m2.npy
    $run 'Make(x, y, v)[2]' --set x=1 --set y=2 --out v=made.npy && python3 show.py 4d made.npy
done
