"""launches.py - what the scripts of this folder have in common: `ilcuda run` and what it says of its launches, and the device's clock."""
import json, subprocess


def kernels_of(command):
    """What `ilcuda run ... --json` says of each launch, and the line of its error."""
    done = subprocess.run([*command, "--json"], capture_output=True, text=True)
    answer = json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {}
    return answer.get("kernels", []), done.stderr.strip().splitlines()[-1] if done.returncode else ""


def launched(tool, assembly, body, extents, times, inputs, options, out=None):
    """Seconds of the fastest of several launches, the entry, the line of the error. inputs: names of arrays and their files."""
    command = [tool, "run", assembly, *[f"d{t} = {body}{extents}" for t in range(times)], "--engine", "cuda", *options]
    for name, path in inputs.items():
        command += ["--in", f"{name}={path}"] + (["--shape", f"{name}=rows,cols"] if extents else [])
    kernels, error = kernels_of(command + (["--out", f"d0={out}"] if out else []))
    return min((k.get("seconds", 0) for k in kernels), default=0), kernels[0]["entry"] if kernels else "?", error


def measured_of(command):
    """What `ilcuda run --mode fast` says of the last launch's distance from mode exact."""
    kernels, error = kernels_of(command)
    far = kernels[-1].get("deviation") if kernels else None
    return f"within {far['relative']:.1e} of exact, {far['ulps']} ulp" if far else error or "not measured"


def fastest(work, event, elapsed, times=10):
    """Milliseconds of work on the device, the least of several. event makes one of its events, elapsed is the time between two."""
    best = 1e9
    for _ in range(times):
        start, stop = event(), event()
        start.record()
        work()
        stop.record()
        stop.synchronize()
        best = min(best, elapsed(start, stop))
    return best
