"""Writes and prints .npy files without NumPy: npy.py make FILE CODE ROWSxCOLS VALUE...; npy.py show FILE"""
import ast, struct, sys

codes = {"f4": "f", "f8": "d", "i4": "i", "i8": "q", "u1": "B", "i2": "h"}

def make(path, code, shape, values):
    extents = tuple(int(x) for x in shape.split("x"))
    count = 1
    for extent in extents:
        count *= extent
    if values and values[0] == "ramp":  # 0.5, 1.0, 1.5 ...
        values = [(k % 17 - 8) * 0.5 for k in range(count)]
    number = float if code[0] == "f" else int
    header = "{'descr': '%s%s', 'fortran_order': False, 'shape': %s, }" % ("|" if code[1] == "1" else "<", code, extents)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%d%s" % (count, codes[code]), *(number(v) for v in values)))

def show(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    body = data[10 + length:]
    kind = codes[header["descr"][1:]]
    values = struct.unpack("<%d%s" % (len(body) // struct.calcsize(kind), kind), body)
    print(header["descr"], header["shape"], *values)

if sys.argv[1] == "make":
    make(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
else:
    show(sys.argv[2])
