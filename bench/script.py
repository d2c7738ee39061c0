#!/usr/bin/env python3
"""script.py VBS [SCRIPT] [ROUNDS] - how long vbs takes to the first line that a script prints (examples/vbs/tutorial.vb), in turns ROUNDS times (5):
with nothing compiled, and again with the compiled script in the cache. Each run is ended at that line. The least and the median of the clock, and of the
processors' time of the process, which other work on the machine does not stretch as much; then the size of the folder that VBS lies in."""
import os, platform, shutil, statistics, subprocess, sys, tempfile, time

here = os.path.dirname(os.path.abspath(__file__))
vbs, script, rounds = [*sys.argv[1:], *[f"{here}/../examples/vbs/tutorial.vb", "5"][len(sys.argv) - 2:]]
vbs, script, rounds = os.path.realpath(vbs), os.path.abspath(script), int(rounds)
TICK = os.sysconf("SC_CLK_TCK")


def first_line(cache):
    start = time.perf_counter()
    process = subprocess.Popen([vbs, script], stdout=subprocess.PIPE, env={**os.environ, "XDG_CACHE_HOME": cache, "ILCUDA_ENGINE": "cpu"})
    if not process.stdout.read(1):
        sys.exit(f"{script} printed nothing: exit code {process.wait()}")
    took = time.perf_counter() - start
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    process.kill()
    process.wait()
    return took, (int(fields[11]) + int(fields[12])) / TICK


took = {"first": [], "second": []}
for turn in range(rounds):
    cache = tempfile.mkdtemp()
    for which in took:
        took[which].append(first_line(cache))
    shutil.rmtree(cache)
size = sum(entry.stat().st_size for entry in os.scandir(os.path.dirname(vbs)) if entry.is_file())
print(f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {os.path.basename(script)}, {rounds} runs; vbs: {size / 1e6:.1f} MB")
for which, runs in took.items():
    clock, cpu = zip(*runs)
    print(f"{which:6}  clock {min(clock) * 1000:5.0f} ms, median {statistics.median(clock) * 1000:5.0f};"
          f"  processors {min(cpu) * 1000:5.0f} ms, median {statistics.median(cpu) * 1000:5.0f}")
