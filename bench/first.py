#!/usr/bin/env python3
"""first.py ILCUDA [ROUNDS] - how long a process takes to the results of the tutorial's six kernels on the CPU engine, over N x N numbers for a
small and a large N, in turns ROUNDS times (7): with nothing compiled and a first tier, with nothing compiled and waiting for the compiler, with all
compiled. What the first two take longer than the last is compiling. The least and the median of the clock, and the least of the processors' time
of the process and of the compilers that it waited for, which other work on the machine does not stretch as much."""
import array, os, platform, random, shutil, statistics, struct, subprocess, sys, tempfile, time

tool, rounds = os.path.abspath(sys.argv[1]), int([*sys.argv, 7][2])
tutorial = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/fixtures/bin/Tutorial.dll")
folder = tempfile.mkdtemp()


def write(path, n):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (n, n)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    random.seed(7)
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        array.array("f", (random.uniform(-1, 1) for _ in range(n * n))).tofile(file)


def seconds(n, cache, tier):
    command = [tool, "run", tutorial, "s = RowSum[rows]", "q = RowSumSq[rows]", "d = GramDot[rows,rows]", "c = CorrelationCell(d, s, q, rows, cols)[rows,rows]",
               "e = DistanceCell(d, q, rows)[rows,rows]", "p = PearsonClamp(v, v)", "--in", f"x={folder}/{n}.npy", "--in", f"v={folder}/{n}.npy",
               "--shape", "x=rows,cols", "--engine", "cpu", "--tier", tier, "--cache-dir", cache, "--quiet"]
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


took = {}
for n in (64, 1024):
    write(f"{folder}/{n}.npy", n)
    for turn in range(rounds):
        for tier in ("auto", "best"):
            cache = tempfile.mkdtemp(dir=folder)
            took.setdefault((n, tier), []).append(seconds(n, cache, tier))
            if tier == "best":
                took.setdefault((n, "compiled"), []).append(seconds(n, cache, tier))
            while any(name.endswith(".c.tmp") for name in os.listdir(cache)):
                time.sleep(0.01)  # what goes on beside
            shutil.rmtree(cache)
print(f"{os.cpu_count()} processors, {platform.platform()}, load {os.getloadavg()}, {time.strftime('%Y-%m-%d %H:%M')}")
print(next((line for line in subprocess.run([tool, "doctor"], capture_output=True, text=True).stdout.splitlines() if "CPU" in line), ""))
def three(n, what):
    clock, processor = zip(*took[n, what])
    return [1e3 * seconds for seconds in (min(clock), statistics.median(clock), min(processor))]


for n, what in took:
    text = {"auto": "nothing compiled, first tier", "best": "nothing compiled, waiting", "compiled": "all compiled"}[what]
    least, median, processor = three(n, what)
    compiling = [a - b for a, b in zip(three(n, what), three(n, "compiled"))]
    print(f"n = {n}: {text}: {least:.0f} ms, median {median:.0f}, processors {processor:.0f};"
          f" of which compiling {compiling[0]:.0f}, {compiling[1]:.0f}, {compiling[2]:.0f}")
shutil.rmtree(folder)
