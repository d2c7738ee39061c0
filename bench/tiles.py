#!/usr/bin/env python3
"""Pairwise tiles on a GPU against the plain kernel: the same bytes at sizes that no block divides and at those timed, exceptions
alike, and the time at each of SIZES beside cuBLAS (TF32 off) where cupy or torch is there, with the ratio of the speeds."""
import argparse, os, sys, tempfile
import numpy as np
from launches import fastest, launched

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("tool", metavar="ILCUDA")
parser.add_argument("assembly", metavar="ASSEMBLY", help="tests/fixtures/bin/PairsVb.dll")
parser.add_argument("sizes", nargs="?", default="1024,4096")
parser.add_argument("schedules", nargs="?", default="auto", help='"auto,auto/whole,256x128x8/16x8/1": whole is without the symmetric half')
parser.add_argument("--mode", default="exact")
parser.add_argument("--bodies", default="Dot,Manhattan,DotPresent,CheckedDot,Cross,Chebyshev,MeanGap")
given = parser.parse_args()
tool, assembly, mode = given.tool, given.assembly, given.mode
sizes = [int(n) for n in given.sizes.split(",")]
schedules = given.schedules.split(",")
bodies = given.bodies.split(",")
folder = tempfile.mkdtemp()
random = np.random.default_rng(7)


def matrix(body, rows, cols):
    x = random.random((rows, cols)) * 2 - 1
    if body == "CheckedDot":
        return (x * 1000).astype(np.int32)
    x = x.astype(np.float64 if body == "Chebyshev" else np.float32)
    if body in ("DotPresent", "MeanGap"):
        x[random.random((rows, cols)) < 0.01] = np.nan
    return x


def run(body, inputs, schedule, times=1, out=None):
    return launched(tool, assembly, body, "[rows,rows]", times, inputs, ["--mode", mode, "--schedule", schedule], out)


def inputs_of(body, rows, cols, spoil=None):
    paths = {}
    for name in ("x", "y") if body == "Cross" else ("x",):
        x = matrix(body, rows, cols)
        if spoil:
            x[spoil] = 2000000000
        paths[name] = os.path.join(folder, f"{body}-{name}.npy")
        np.save(paths[name], x)
    return paths


def bytes_of(body, inputs, schedule, times=1):
    """What run says, and the result's bytes."""
    out = os.path.join(folder, "out.npy")
    if os.path.exists(out):
        os.remove(out)
    said = run(body, inputs, schedule, times, out)
    return said, open(out, "rb").read() if os.path.exists(out) else b""


wrong = 0
for rows, cols in ((1000, 1000), (1023, 1023), (777, 1000), (130, 5), (65, 1023)):
    for body in bodies:
        inputs = inputs_of(body, rows, cols)
        said = {schedule: bytes_of(body, inputs, schedule) for schedule in ("plain", *schedules)}
        same = all(data == said["plain"][1] and data and text[2] == "" for text, data in said.values())
        wrong += not same
        print(f"{body} {rows} x {cols}: {'the same bytes' if same else 'DIFFERENT ' + str({s: v[0] for s, v in said.items()})} ({said[schedules[0]][0][1]})", flush=True)
if "CheckedDot" in bodies:
    inputs = inputs_of("CheckedDot", 1000, 1000, (700, 999))
    lines = {s: run("CheckedDot", inputs, s)[1:] for s in ("plain", *schedules)}
    same = len({text for _, text in lines.values()}) == 1 and "OverflowException in element" in lines["plain"][1]
    wrong += not same
    print("an overflow:", "the same exception" if same else "DIFFERENT", lines)


def cublas(n):
    """Milliseconds of x @ x.T, the fastest of 20, on the clock of the device; None without cupy and torch."""
    os.environ["CUPY_TF32"] = "0"
    try:
        import cupy as cp

        x = cp.asarray(random.random((n, n)), dtype=cp.float32)
        event, elapsed = cp.cuda.Event, cp.cuda.get_elapsed_time
        free = cp.get_default_memory_pool().free_all_blocks
    except ImportError:
        try:
            import torch
        except ImportError:
            return None
        torch.backends.cuda.matmul.allow_tf32 = False
        x = torch.as_tensor(random.random((n, n)), dtype=torch.float32, device="cuda")
        event = lambda: torch.cuda.Event(enable_timing=True)
        elapsed = lambda start, stop: start.elapsed_time(stop)
        free = torch.cuda.empty_cache
    best = fastest(lambda: x @ x.T, event, elapsed, 20)
    del x
    free()
    return best


for n in sizes:
    peer = cublas(n)
    if peer:
        print(f"{n}: cuBLAS {peer:.4f} ms", flush=True)
    for body in bodies if n <= 4096 else bodies[:2]:
        inputs = inputs_of(body, n, n)
        (seconds, _, error), expected = bytes_of(body, inputs, "plain", 2)
        row = [f"plain {seconds * 1e3:.3f} ms{' ' + error if error else ''}"]
        for schedule in schedules:
            (seconds, entry, error), data = bytes_of(body, inputs, schedule, 8)
            wrong += data != expected or bool(error)
            ratio = f" ({peer / (seconds * 1e3):.2f} of cuBLAS' speed)" if peer and seconds and body == "Dot" else ""
            notes = [error] * bool(error) + [entry] * (not entry.endswith("_tile")) + ["DIFFERENT BYTES"] * (data != expected)
            row.append(f"{schedule} {seconds * 1e3:.4f} ms{ratio}{' ' + ', '.join(notes) if notes else ''}")
        print(f"{n} {body}, {mode}: " + "; ".join(row), flush=True)
print("tiles:", "all the same" if not wrong else f"{wrong} DIFFERENT")
sys.exit(1 if wrong else 0)
