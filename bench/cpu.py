#!/usr/bin/env python3
"""cpu.py ILCUDA [N [ROUNDS]] - the CPU engine over an N x N matrix (1024) beside what users would call instead, taken in turns ROUNDS
times (5); the least of all counts, for the machine may have other work. Needs numpy; its OpenBLAS runs as each kind of processor that
has the instructions of this one, and the fastest counts. CoreCLR is asked where there is a dotnet command."""
import os, platform, shutil, subprocess, sys, tempfile, time

if len(sys.argv) > 1 and sys.argv[1] == "numpy":
    import numpy as np
    n = int(sys.argv[2])
    x = (np.random.default_rng(7).random((n, n), dtype=np.float32) * 2 - 1).astype(np.float32)
    y, out = x.copy(), np.empty((n, n), np.float32)

    def best(f):
        least = 1e9
        for _ in range(12):
            start = time.perf_counter()
            f()
            least = min(least, time.perf_counter() - start)
        return least * 1e3

    print(best(lambda: np.matmul(x, y.T, out=out)), best(lambda: np.corrcoef(x, dtype=np.float32)), np.__version__)
    sys.exit()

import numpy as np
from launches import kernels_of

tool, n, rounds = os.path.abspath(sys.argv[1]), int([*sys.argv, 0, 1024][2] or 1024), int([*sys.argv, 0, 0, 0][3] or 5)
here = os.path.dirname(os.path.abspath(__file__))
tutorial = os.path.join(here, "../tests/fixtures/bin/Tutorial.dll")
os.environ["ILCUDA_TIER"] = "best"
folder = tempfile.mkdtemp()
x = (np.random.default_rng(7).random((n, n), dtype=np.float32) * 2 - 1).astype(np.float32)
np.save(f"{folder}/x.npy", x)
np.save(f"{folder}/y.npy", x[:-1])
wide = "avx512f" in open("/proc/cpuinfo").read() if os.path.exists("/proc/cpuinfo") else False
cores = ["SKYLAKEX", "SAPPHIRERAPIDS", "ZEN", "HASWELL"] if wide else ["HASWELL", "ZEN"]


def ours(assembly, statements, schedule="auto", outs=(), mode="exact"):
    command = [tool, "run", assembly, *statements, "--in", f"x={folder}/x.npy", "--shape", "x=rows,cols", "--engine", "cpu", "--schedule", schedule, "--mode", mode]
    kernels, error = kernels_of([*command, *[w for name in outs for w in ("--out", f"{name}={folder}/{schedule}-{name}.npy")]])
    if error:
        sys.exit(error)
    return kernels


TIMES = 6
pipeline = [text for t in range(TIMES) for text in (f"s{t} = RowSum[rows]", f"q{t} = RowSumSq[rows]", f"d{t} = GramDot[rows,rows]",
                                                     f"c{t} = CorrelationCell(d{t}, s{t}, q{t}, rows, cols)[rows,rows]")]
least = {}


def note(name, milliseconds):
    least[name] = min(least.get(name, 1e9), milliseconds)


peer = None
if shutil.which("dotnet"):
    peer = f"{folder}/parallel"
    subprocess.run(["dotnet", "build", f"{here}/peers/parallel", "-c", "Release", "-o", peer, "-v", "q", "--nologo", f"-p:BaseIntermediateOutputPath={folder}/obj/"], check=True, capture_output=True)
version, compiled = "", None
for turn in range(rounds):
    for k in ours(tutorial, [f"d{t} = GramDot[rows,rows]" for t in range(TIMES)]):
        note("GramDot, half", k["seconds"] * 1e3)
        compiled = k["entry"]
    for k in ours(tutorial, [f"d{t} = GramDot[rows,{n - 1}]" for t in range(TIMES)]):
        note("GramDot, all but a column", k["seconds"] * 1e3)
    for k in ours(tutorial, [f"d{t} = GramDot[rows,rows]" for t in range(TIMES)], mode="fma"):
        note("GramDot, half, mode fma", k["seconds"] * 1e3)
    kernels = ours(tutorial, pipeline)
    for t in range(TIMES):
        note("pipeline", sum(k["seconds"] for k in kernels[4 * t:4 * t + 4]) * 1e3)
        for k in kernels[4 * t:4 * t + 4]:
            note(f"  {k['entry']}", k["seconds"] * 1e3)
    for core in cores:
        env = {**os.environ, "OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": str(os.cpu_count())}
        gemm, corr, version = subprocess.run([sys.executable, __file__, "numpy", str(n)], env=env, capture_output=True, text=True, check=True).stdout.split()
        note(f"OpenBLAS sgemm as {core}", float(gemm))
        note("OpenBLAS sgemm", float(gemm))
        note("numpy.corrcoef float32", float(corr))
    cores = sorted(cores, key=lambda core: least[f"OpenBLAS sgemm as {core}"])[:2]
    if peer and turn < 2:
        gram, whole = subprocess.run(["dotnet", f"{peer}/parallel.dll", str(n), "4"], capture_output=True, text=True, check=True).stdout.split()
        note("Parallel.For GramDot", float(gram))
        note("Parallel.For pipeline", float(whole))
for schedule in ("plain", "auto"):
    note(f"GramDot {schedule}", min(k["seconds"] for k in ours(tutorial, ["d0 = GramDot[rows,rows]", "d1 = GramDot[rows,rows]"], schedule, ["d0"])) * 1e3)
same = open(f"{folder}/plain-d0.npy", "rb").read() == open(f"{folder}/auto-d0.npy", "rb").read()

cpu = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")][:1]
engine = subprocess.run([tool, "doctor"], capture_output=True, text=True).stdout
print(f"{cpu}, {os.cpu_count()} processors, {platform.platform()}, load {os.getloadavg()}, {time.strftime('%Y-%m-%d %H:%M')}")
print(next((line for line in engine.splitlines() if "CPU" in line), ""), f"numpy {version}, n = {n}, entry {compiled}")
print("plain and tile:", "the same bytes" if same else "DIFFERENT")
for name, value in least.items():
    print(f"{name}: {value:.3f} ms")
print(f"exact / sgemm: {least['OpenBLAS sgemm'] / least['GramDot, all but a column']:.2f}, half {least['OpenBLAS sgemm'] / least['GramDot, half']:.2f}, half in mode fma {least['OpenBLAS sgemm'] / least['GramDot, half, mode fma']:.2f}")
print(f"pipeline: {least['numpy.corrcoef float32'] / least['pipeline']:.2f} times numpy.corrcoef", end="")
print(f", {least['Parallel.For pipeline'] / least['pipeline']:.1f} times Parallel.For" if peer else "")
shutil.rmtree(folder)
sys.exit(0 if same else 1)
