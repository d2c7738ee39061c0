#!/usr/bin/env python3
"""rows.py ILCUDA ASSEMBLY [SIZES] - rows read together or split on a GPU against the plain kernel: the same bytes at sizes that nothing divides,
exceptions alike, and the time of each over n x n matrices of SIZES ("1024,8192"), also in mode fast, with how far it is from exact; an elementwise method
of three arrays. Beside them the device's own copy, where cupy is there. ASSEMBLY is tests/fixtures/bin/RowsVb.dll. Needs numpy."""
import os, sys, tempfile
import numpy as np
from launches import fastest, launched, measured_of

tool, assembly = sys.argv[1:3]
sizes = [int(n) for n in (sys.argv[3] if len(sys.argv) > 3 else "1024,8192").split(",")]
bodies = ["Total", "Variance", "CheckedTotal", "Share", "Weighted", "Roughness", "Block", "Span", "Bits", "CheckedLongTotal"]
folder = tempfile.mkdtemp()
random = np.random.default_rng(7)


def matrix(body, rows, cols):
    x = random.random((rows, cols), dtype=np.float32) * 2 - 1
    if body in ("CheckedTotal", "Bits", "CheckedLongTotal"):
        return (x * 1000).astype(np.int64 if body == "CheckedLongTotal" else np.int32)
    if body == "Share":
        x[random.random((rows, cols)) < 0.01] = np.nan
    return x.astype(np.float64) if body in ("Variance", "Span") else x


def inputs_of(body, rows, cols):
    paths = {}
    for name in ("x", "y", "w") if body == "Weighted" else ("x",):
        paths[name] = os.path.join(folder, f"{body}-{name}.npy")
        np.save(paths[name], matrix(body, rows, cols))
    return paths


def run(body, inputs, schedule, times=1, out=None, extents="[rows]", mode="exact"):
    return launched(tool, assembly, body, extents, times, inputs, ["--schedule", schedule, "--mode", mode], out)


wrong = 0
for rows, cols in ((1000, 1000), (1023, 1023), (777, 130), (65, 1023), (3, 5000), (100000, 33)):
    for body in bodies:
        inputs = inputs_of(body, rows, cols)
        said = {}
        for schedule in ("plain", "auto"):
            out = os.path.join(folder, f"{schedule}.npy")
            said[schedule] = run(body, inputs, schedule, 1, out)[1:], open(out, "rb").read() if os.path.exists(out) else b""
            if os.path.exists(out):
                os.remove(out)
        same = said["auto"][1] == said["plain"][1] and said["auto"][1] and said["auto"][0][0].endswith(("_rows", "_split"))
        wrong += not same
        print(f"{body} {rows} x {cols}: {'the same bytes' if same else 'DIFFERENT ' + str({s: v[0] for s, v in said.items()})} ({said['auto'][0][0]})", flush=True)

try:
    import cupy as cp
except ImportError:
    cp = None


def copy_rate(count):
    """Bytes read and written a second by the device's copy of so many floats."""
    x = cp.zeros(count, dtype=cp.float32)
    y = cp.empty_like(x)
    copy = lambda: cp.cuda.runtime.memcpyAsync(y.data.ptr, x.data.ptr, x.nbytes, 3, cp.cuda.get_current_stream().ptr)
    best = fastest(copy, cp.cuda.Event, cp.cuda.get_elapsed_time)
    return 2 * x.nbytes / best * 1e3


copy = copy_rate(64 << 20) if cp else 0
if cp:
    print(f"copy of 64M floats: {copy / 1e12:.3f} TB/s", flush=True)
for n in sizes:
    for body in bodies if n <= 4096 else ("Total", "CheckedTotal", "Weighted"):
        inputs = inputs_of(body, n, n)
        row, moved = [], sum(os.path.getsize(path) for path in inputs.values())
        for schedule, mode in (("plain", "exact"), ("auto", "exact"), ("auto", "fast")):
            seconds, entry, error = run(body, inputs, schedule, 6, mode=mode)
            share = f", {moved / seconds / copy:.2f} of copy" if copy and seconds else ""
            row.append(f"{mode if mode == 'fast' else schedule} {seconds * 1e3:.4f} ms ({entry}{share}){' ' + error if error else ''}")
        row.append("fast " + measured_of([tool, "run", assembly, f"d = {body}[rows]", "--engine", "cuda", "--mode", "fast",
                                          *[word for name, path in inputs.items() for word in ("--in", f"{name}={path}", "--shape", f"{name}=rows,cols")]]))
        print(f"{n} {body}: " + "; ".join(row), flush=True)
inputs = {}
for name in "abc":
    inputs[name] = os.path.join(folder, f"{name}.npy")
    np.save(inputs[name], random.random(64 << 20, dtype=np.float32))
seconds, entry, error = run("Blend", inputs, "auto", 6, None, "")
moved = 4 * 4 * (64 << 20)
print(f"Blend of 64M elements: {seconds * 1e3:.4f} ms, {moved / (seconds or 1) / 1e12:.3f} TB/s"
      f"{f', {moved / seconds / copy:.2f} of copy' if copy and seconds else ''} ({entry}) {error}", flush=True)
print("rows:", "all the same" if not wrong else f"{wrong} DIFFERENT")
sys.exit(1 if wrong else 0)
