#!/usr/bin/env python3
"""process.py ILCUDA [ROUNDS] [N] - the whole process of the tutorial's six kernels on CUDA over N x N numbers (1024), .npy in and out, everything
compiled before, beside a process that makes a context and ends (its floor), in turns ROUNDS times (15): least and median by the clock. Needs gcc."""
import array, os, random, shutil, statistics, struct, subprocess, sys, tempfile, time

tool, rounds, n = os.path.abspath(sys.argv[1]), int([*sys.argv, 15][2]), int([*sys.argv[3:], 1024][0])
tutorial = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/fixtures/bin/Tutorial.dll")
folder = tempfile.mkdtemp()
FLOOR = r"""
#include <dlfcn.h>
int main(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context;
    int device;
    if (!driver) return 1;
    return ((int (*)(unsigned))dlsym(driver, "cuInit"))(0) || ((int (*)(int *, int))dlsym(driver, "cuDeviceGet"))(&device, 0) ||
           ((int (*)(void **, int))dlsym(driver, "cuDevicePrimaryCtxRetain"))(&context, device);
}
"""


def seconds(command):
    start = time.perf_counter()
    run = subprocess.run(command, stdout=subprocess.DEVNULL)
    if run.returncode:
        sys.exit(f"{command} failed")
    return time.perf_counter() - start


with open(f"{folder}/floor.c", "w") as file:
    file.write(FLOOR)
subprocess.run(["gcc", "-O1", f"{folder}/floor.c", "-o", f"{folder}/floor", "-ldl"], check=True)
random.seed(7)
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (n, n)
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(f"{folder}/x.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    array.array("f", (random.uniform(-1, 1) for _ in range(n * n))).tofile(file)
names = "sqdcep"
kernels = [tool, "run", tutorial, "s = RowSum[rows]", "q = RowSumSq[rows]", "d = GramDot[rows,rows]", "c = CorrelationCell(d, s, q, rows, cols)[rows,rows]",
           "e = DistanceCell(d, q, rows)[rows,rows]", "p = PearsonClamp(v, v)", "--in", f"x={folder}/x.npy", "--in", f"v={folder}/x.npy", "--shape", "x=rows,cols",
           "--engine", "cuda", "--cache-dir", f"{folder}/cache", "--quiet", *[word for name in names for word in ("--out", f"{name}={folder}/{name}.npy")]]
ways = {"context alone": [f"{folder}/floor"], "six kernels": kernels}
print(f"six kernels, {n} x {n}, whole process; first (compiles): {seconds(kernels) * 1e3:.0f} ms")
times = {name: [] for name in ways}
for _ in range(rounds):
    for name, command in ways.items():
        times[name].append(seconds(command) * 1e3)
for name, all_of in times.items():
    print(f"{name:14} least {min(all_of):7.1f} ms, median {statistics.median(all_of):7.1f} ms")
print(f"above the floor: least {min(times['six kernels']) - min(times['context alone']):.1f} ms, median "
      f"{statistics.median(times['six kernels']) - statistics.median(times['context alone']):.1f} ms (40 wanted)")
shutil.rmtree(folder)
