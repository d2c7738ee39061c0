#!/usr/bin/env python3
"""tiles.py ILCUDA ASSEMBLY [SIZES [SCHEDULES]] - pairwise tiles on a GPU against the plain kernel: the same bytes at sizes that no block
divides, exceptions alike, and the time of each at SIZES ("1024,4096,8192"), beside cuBLAS where cupy is there.
ASSEMBLY is tests/fixtures/bin/PairsVb.dll. Needs numpy."""
import json, os, subprocess, sys, tempfile, time
import numpy as np

tool, assembly = sys.argv[1:3]
sizes = [int(n) for n in (sys.argv[3] if len(sys.argv) > 3 else "1024,4096").split(",")]
schedules = (sys.argv[4] if len(sys.argv) > 4 else "auto").split(",")
bodies = ["Dot", "Manhattan", "DotPresent", "CheckedDot", "Cross", "Chebyshev", "MeanGap"]
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
    """Seconds of the fastest launch, the entry, the error's line."""
    command = [tool, "run", assembly, *[f"d{t} = {body}[rows,rows]" for t in range(times)], "--engine", "cuda", "--schedule", schedule, "--json"]
    for name, path in inputs.items():
        command += ["--in", f"{name}={path}", "--shape", f"{name}=rows,cols"]
    if out:
        command += ["--out", f"d0={out}"]
    done = subprocess.run(command, capture_output=True, text=True)
    answer = json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {}
    kernels = answer.get("kernels", [])
    seconds = min((k.get("seconds", 0) for k in kernels), default=0)
    return seconds, kernels[0]["entry"] if kernels else "?", done.stderr.strip().splitlines()[-1] if done.returncode else ""


def inputs_of(body, rows, cols, spoil=None):
    paths = {}
    for name in ("x", "y") if body == "Cross" else ("x",):
        x = matrix(body, rows, cols)
        if spoil:
            x[spoil] = 2000000000
        paths[name] = os.path.join(folder, f"{body}-{name}.npy")
        np.save(paths[name], x)
    return paths


wrong = 0
for rows, cols in ((1000, 1000), (1023, 1023), (777, 1000), (130, 5), (65, 1023)):
    for body in bodies:
        inputs = inputs_of(body, rows, cols)
        said = {}
        for schedule in ("plain", *schedules):
            out = os.path.join(folder, f"{schedule.replace('/', '_')}.npy")
            said[schedule] = run(body, inputs, schedule, 1, out)[1:], open(out, "rb").read() if os.path.exists(out) else b""
        same = all(bytes_ == said["plain"][1] and bytes_ and text[1] == "" for text, bytes_ in said.values())
        wrong += not same
        print(f"{body} {rows} x {cols}: {'the same bytes' if same else 'DIFFERENT ' + str({s: v[0] for s, v in said.items()})} ({said[schedules[0]][0][0]})", flush=True)
inputs = inputs_of("CheckedDot", 1000, 1000, (700, 999))
lines = {s: run("CheckedDot", inputs, s)[1:] for s in ("plain", *schedules)}
same = len({text for _, text in lines.values()}) == 1 and "OverflowException in element" in lines["plain"][1]
wrong += not same
print("an overflow:", "the same exception" if same else "DIFFERENT", lines)

try:
    import cupy as cp
except ImportError:
    cp = None
for n in sizes:
    if cp:
        x = cp.asarray(random.random((n, n)), dtype=cp.float32)
        best = 1e9
        for _ in range(10):
            start, stop = cp.cuda.Event(), cp.cuda.Event()
            start.record()
            x @ x.T
            stop.record()
            stop.synchronize()
            best = min(best, cp.cuda.get_elapsed_time(start, stop))
        print(f"{n}: cuBLAS {best:.4f} ms", flush=True)
        del x
        cp.get_default_memory_pool().free_all_blocks()
    for body in bodies if n <= 4096 else bodies[:2]:
        inputs = inputs_of(body, n, n)
        row = []
        for schedule in (("plain",) if n <= 1024 else ()) + tuple(schedules):
            start = time.perf_counter()
            seconds, entry, error = run(body, inputs, schedule, 2 if schedule == "plain" else 6)
            row.append(f"{schedule} {seconds * 1e3:.3f} ms{' ' + error if error else ''}{'' if entry.endswith('_tile') or schedule == 'plain' else ' (' + entry + ')'}")
        print(f"{n} {body}: " + "; ".join(row), flush=True)
print("tiles:", "all the same" if not wrong else f"{wrong} DIFFERENT")
sys.exit(1 if wrong else 0)
