#!/usr/bin/env python3
"""pearson.py ILCUDA FIXTURES [SIZES [OPTIONS...]] - what the tutorial's methods make of n x n matrices on a GPU, beside torch in the same
run: the correlation matrix (RowSum, RowSumSq, GramDot and CorrelationCell as one `run`, the matrix on the device) beside
torch.corrcoef; sums of absolute differences (Manhattan of PairsVb) beside torch.cdist(p=1). OPTIONS go to `ilcuda run`. Times are the
device's: of ilcuda the sum over its kernels, each the fastest of 6; of torch the fastest of 10. Needs numpy and torch."""
import os, sys, tempfile
import numpy as np
import torch
from launches import fastest, kernels_of

tool, fixtures = sys.argv[1:3]
sizes = [int(n) for n in (sys.argv[3] if len(sys.argv) > 3 else "1024,8192").split(",")]
options = sys.argv[4:]
folder = tempfile.mkdtemp()
random = np.random.default_rng(7)
torch.backends.cuda.matmul.allow_tf32 = False


def run(assembly, statements, path, *out):
    """Seconds of the fastest launch of each entry."""
    command = [tool, "run", f"{fixtures}/{assembly}.dll", *statements, "--in", f"x={path}", "--shape", "x=rows,cols", "--engine", "cuda", *options, *out]
    kernels, error = kernels_of(command)
    if error:
        sys.exit(error)
    best = {}
    for kernel in kernels:
        best[kernel["entry"]] = min(best.get(kernel["entry"], 1e9), kernel["seconds"])
    return best


def peer_of(work):
    return fastest(work, lambda: torch.cuda.Event(enable_timing=True), lambda start, stop: start.elapsed_time(stop))


def correlation(t):
    return [f"s{t} = RowSum[rows]", f"q{t} = RowSumSq[rows]", f"d{t} = GramDot[rows,rows]", f"c{t} = CorrelationCell(d{t}, s{t}, q{t}, rows, cols)[rows,rows]"]


for n in sizes:
    x = random.random((n, n), dtype=np.float32)
    path = os.path.join(folder, "x.npy")
    np.save(path, x)
    on_device = torch.from_numpy(x).cuda()
    peer = peer_of(lambda: torch.corrcoef(on_device))
    out = os.path.join(folder, "c.npy")
    best = run("Tutorial", [line for t in range(6) for line in correlation(t)], path, "--out", f"c0={out}")
    error = float(np.abs(np.load(out) - torch.corrcoef(on_device).cpu().numpy()).max())
    parts = "; ".join(f"{entry} {seconds * 1e3:.4f}" for entry, seconds in best.items())
    ours = sum(best.values()) * 1e3
    print(f"{n} {' '.join(options)} correlation: {ours:.4f} ms ({parts}); torch.corrcoef {peer:.4f} ms: {peer / ours:.2f} of its speed; "
          f"largest difference {error:.2e}", flush=True)
    if n <= 4096:
        peer = peer_of(lambda: torch.cdist(on_device, on_device, p=1))
        best = run("PairsVb", [f"d{t} = Manhattan[rows,rows]" for t in range(6)], path)
        ours = sum(best.values()) * 1e3
        print(f"{n} {' '.join(options)} Manhattan: {ours:.4f} ms ({', '.join(best)}); torch.cdist(p=1) {peer:.4f} ms: {peer / ours:.1f} of its speed", flush=True)
    del on_device
