#!/usr/bin/env python3
"""instructions.py ILCUDA [SHAPE...] - how the work of a translation grows with a method, in instructions of the processor for each
block: they are the same on a busy machine, which `bench translate --scale` cannot say of its times, and a miss of the cache counts
as none. Needs valgrind. By default the shapes whose time grows most."""
import glob, os, re, subprocess, sys, tempfile

tool, shapes = os.path.abspath(sys.argv[1]), sys.argv[2:] or ["irreducible", "line", "wide", "locals"]
for shape in shapes:
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/part", "--dump-before=ilc_assembly_open_memory", tool,
                              "bench", "translate", "--scale", shape, "--repeat", "1", "--json"], capture_output=True, text=True, check=True)
        parts = []
        for path in glob.glob(f"{folder}/part*"):
            text = open(path).read()
            number = re.search(r"^part: (\d+)", text, re.M)
            parts.append((int(number[1]) if number else sys.maxsize, int(re.search(r"^(?:totals|summary): (\d+)", text, re.M)[1])))
    counts = [count for _, count in sorted(parts)][1:] # before the first translation there is only the start
    sizes = [int(size) for size in re.findall(r'"size":(\d+)', run.stdout)]
    turns = [max(sizes) // size // 10 + 1 if size < max(sizes) else 1 for size in sizes] # as bench_scale.c repeats small ones
    assert len(counts) == sum(turns), (len(counts), turns)
    line = []
    for size, count in zip(sizes, turns):
        line.append(f"{size}: {sum(counts[:count]) / count / size:,.0f}")
        counts = counts[count:]
    print(f"{shape}: instructions for each part of a method of " + ", of ".join(line), flush=True)
