#!/usr/bin/env python3
"""cublas.py ILCUDA - GramDot of the tutorial (1024 x 1024, float, mode exact, one thread per cell) against cuBLAS
SGEMM with TF32 off, in one run: the milliseconds of each (device time, median of 20; ours: of 7 runs) and the ratio.
Needs cupy."""
import json, os, statistics, subprocess, sys

os.environ["CUPY_TF32"] = "0"
import cupy

x = cupy.random.random((1024, 1024), dtype=cupy.float32)
times = []
for turn in range(25):
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    y = x @ x.T
    stop.record()
    stop.synchronize()
    if turn >= 5:
        times.append(cupy.cuda.get_elapsed_time(start, stop))
cublas = statistics.median(times)
ours = []
for _ in range(7):
    text = subprocess.run([sys.argv[1], "demo", "--engine", "cuda", "--json"], capture_output=True, text=True, check=True).stdout
    ours.append(next(k["seconds"] for k in json.loads(text)["kernels"] if k["kernel"] == "il_GramDot_kernel") * 1e3)
gram = statistics.median(ours)
print(f"GramDot 1024: ilcuda {gram:.3f} ms, cuBLAS {cublas:.4f} ms, ratio {gram / cublas:.1f}")
