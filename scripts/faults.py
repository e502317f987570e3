#!/usr/bin/env python3
"""Harms runs at random moments, resumes them, and compares the results byte for byte.

    scripts/faults.py PROGRAM [--runs 300] [--seed 1] [--jobs segment,parallel,track,compare,mpi,fleet]

Each run has a seed of its own, from which its command, its fault and the moment follow; a failure
prints it, and --runs 1 --seed N does it again (moments are shares of the time that the command takes,
so that a repetition comes near, not more). A harmed run must end by a signal that it was sent, well, or
with an error of the program's own; what was resumed must be the same as what was never harmed, but for
the times in it. A fleet is not resumed but run again; of a harmed one, each line that it wrote must be
one of the undisturbed run. Ends with an error if one is not.
"""

import argparse
import csv
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL}
DAMAGE = ("terminate called", "Segmentation", "Assertion", "Sanitizer", "std::")
TIMES = ("ms", "seconds", "start", "solve")  # keys of what a machine needs, which no two runs share
WAIT_S = 300


class Failure(Exception):
    """What must not happen."""


class Job:
    """A command that writes to --out and can be resumed."""

    def __init__(self, name, program, arguments, ranks=0, resumes=True):
        self.name = name
        self.resumes = resumes
        self.ranks = ranks
        mpirun = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks else []
        self.command = mpirun + [str(program), *arguments, "--quiet"]
        self.reference = None
        self.seconds = 0.0

    def start(self, out, limit=None, resume=False):
        def prepare():
            if limit:  # files get no longer: what a full disk is to a program
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        command = self.command + ["--out", str(out)] + (["--resume", "--retry"] if resume else [])
        if resume and self.name == "compare":
            command.remove("--retry")
        # Open MPI asks whoever is root in a container.
        environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **os.environ}
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                                preexec_fn=prepare, start_new_session=True, text=True, errors="replace")

    def run(self, out, resume=False):
        return end_of(self.start(out, resume=resume))


def end_of(process):
    """Exit code and what was printed. A run that hangs is a failure."""
    try:
        out, err = process.communicate(timeout=WAIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Failure("hangs") from None
    code = process.returncode
    if -code in CRASHES or code - 128 in CRASHES or any(word in err for word in DAMAGE):
        raise Failure(f"ends with {code}: {err.strip()[:300]}")
    return code, (out + err).strip()


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return value


def without_clock(runs):
    """The entries of a comparison's traces have the seconds at a place of their own."""
    for curve in runs.get("curves", []):
        for entry in curve["trace"]:
            del entry[9]
    return runs


def content_of(path):
    """What of a file has to be the same in two runs; nothing where all of it hangs on times."""
    if path.name == "command.txt" or path.stem.endswith("-seconds"):
        return None
    data = path.read_bytes()
    if path.suffix == ".json" and "runs" in path.parts[-3:]:
        return without_clock(without_times(json.loads(data)))
    if path.suffix == ".json":
        return without_times(json.loads(data))
    if path.suffix == ".jsonl":
        records = [without_times(json.loads(line)) for line in data.splitlines()]
        return sorted(records, key=lambda record: record.get("name", ""))
    if path.stem == "summary" or path.name == "comparison.md":
        return len(data) > 0  # tables with times in them
    if path.suffix == ".csv":
        rows = list(csv.reader(io.StringIO(data.decode())))
        kept = [k for k, title in enumerate(rows[0] if rows else []) if title.split(".")[0] not in TIMES]
        return [[row[k] for k in kept] for row in rows]
    return data


def contents(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = content_of(path)
            if content is not None:
                found[str(path.relative_to(folder))] = content
    return found


def difference(expected, found):
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            return f"{name} is missing"
        if name not in expected:
            return f"{name} is too many"
        if expected[name] != found[name]:
            return f"{name} differs"
    return None


def descendants(pid):
    try:
        own = [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return own + [d for c in own for d in descendants(c)]


def victim_of(job, process, rng):
    """The process, or below mpirun one of the ranks."""
    ranks = descendants(process.pid) if job.ranks else []
    return rng.choice(ranks) if ranks else process.pid


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


# Faults. Each harms a run that is under way, and lets it end.

def kill(job, process, out, rng):
    send(victim_of(job, process, rng), signal.SIGKILL)


def interrupt(job, process, out, rng):
    send(process.pid, rng.choice([signal.SIGINT, signal.SIGTERM]))


def stop(job, process, out, rng):
    pid = victim_of(job, process, rng)
    send(pid, signal.SIGSTOP)
    time.sleep(rng.uniform(0.05, 0.5))
    send(pid, signal.SIGCONT)


def some_file(out, rng):
    """Of the results. config.json is the run: without it there is nothing to resume."""
    files = [p for p in out.rglob("*") if p.is_file() and p.name != "config.json"]
    return rng.choice(sorted(files)) if files else None


def remove(job, process, out, rng):
    path = some_file(out, rng)
    if path:
        path.unlink(missing_ok=True)


def empty(job, process, out, rng):
    path = some_file(out, rng)
    if path and path.exists():
        os.truncate(path, 0)


def tear(job, process, out, rng):
    """A file's end is lost: of a label or of the records, which say how long they are."""
    files = [p for p in out.rglob("*") if p.suffix in (".label", ".jsonl") and p.is_file()]
    if files:
        path = rng.choice(sorted(files))
        os.truncate(path, rng.randrange(path.stat().st_size + 1))


def scribble(job, process, out, rng):
    """Bytes of the records become others."""
    path = out / "frames.jsonl"
    if path.exists() and path.stat().st_size > 0:
        with open(path, "r+b") as file:
            file.seek(rng.randrange(path.stat().st_size))
            file.write(bytes(rng.choice(b'\0\n{}[]",x') for _ in range(rng.randint(1, 20))))


def hide_inputs(job, process, out, rng):
    """The data goes away for a moment."""
    moved = job.data.with_name("hidden")
    job.data.rename(moved)
    time.sleep(rng.uniform(0, 0.3 * job.seconds + 0.02))
    moved.rename(job.data)


MOMENTS = [kill, kill, interrupt, stop, remove, empty, tear, scribble, hide_inputs]
FULL = ["full_disk", "short_files"]


def can_mount(folder):
    if os.geteuid() != 0:
        return False
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], capture_output=True)
    if done.returncode == 0:
        subprocess.run(["umount", folder], check=True)
    return done.returncode == 0


LEAVE_FILES_ALONE = (kill, interrupt, stop, "full_disk", "short_files")


def check_lines(job, out):
    """What a run that was ended early has written is what it would have written anyway."""
    for path in out.glob("*.jsonl"):
        whole = job.reference[path.name]
        for record in content_of(path):
            if record not in whole:
                raise Failure(f"{path.name} has a line of its own")


def run_again(job, out):
    """A run in the place of one that is not resumed; a folder that holds results is never taken."""
    if out.exists() and any(out.iterdir()):
        code, said = job.run(out)
        if code != 1 or "which is taken" not in said:
            raise Failure(f"a folder with results: {code}, {said[:300]}")
        for entry in out.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    code, said = job.run(out)
    if code != 0:
        raise Failure(f"does not run again: {said[:300]}")


def resumed(job, out):
    """The run after it has been resumed, the second time with what a hidden input left undone."""
    said = ""
    for _ in range(4):
        code, said = job.run(out, resume=True)
        if code == 0:
            return
        if "inputs" in said and "config.json" not in said:
            continue
        if (out / "config.json").exists():
            continue
        shutil.rmtree(out)  # nothing was begun
    raise Failure(f"does not go on: {said[:300]}")


def harmed(job, fault, out, rng, size):
    """Starts a run and harms it; the code that it ends with."""
    if fault == "full_disk":
        out.mkdir()
        bytes_free = max(8192, int(size * rng.uniform(0, 1.1)))
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={bytes_free}", "none", out], check=True)
        try:
            code, said = job.run(out)
        finally:
            subprocess.run(["mount", "-o", "remount,size=1g", out], check=True)
        return code, said
    if fault == "short_files":
        return end_of(job.start(out, limit=rng.randint(1, 40000)))
    process = job.start(out)
    time.sleep(rng.uniform(0, 1.1) * job.seconds)
    fault(job, process, out, rng)
    return end_of(process)


def one_run(job, fault, folder, rng, size):
    out = folder / "out"
    code, said = harmed(job, fault, out, rng, size)
    try:
        if code not in (0, 1, 2, 3) and fault is not kill and fault is not interrupt and not job.ranks:
            raise Failure(f"ends with {code}: {said[:300]}")
        if code not in (0, 3) and not said and fault not in (kill, interrupt):
            raise Failure(f"ends with {code} and says nothing")
        if not job.resumes and fault in LEAVE_FILES_ALONE:
            check_lines(job, out)
        (resumed if job.resumes else run_again)(job, out)
        wrong = difference(job.reference, contents(out))
        if wrong:
            raise Failure(wrong)
    finally:
        if fault == "full_disk":
            subprocess.run(["umount", out], check=True)
    return code


def make_jobs(program, folder, wanted):
    data = folder / "data"
    subprocess.run([program, "synth", data, "--frames", "12", "--points-per-frame", "12000"],
                   check=True, stdout=subprocess.DEVNULL)
    vehicles = folder / "vehicles"
    subprocess.run([program, "synth", vehicles, "--vehicles", "3", "--frames", "4",
                    "--points-per-frame", "4000"], check=True, stdout=subprocess.DEVNULL)
    jobs = [
        Job("segment", program, ["segment", str(data)]),
        Job("parallel", program, ["segment", str(data), "--jobs", "3", "--target", "ground", "--save",
                                  "label,overlay,birdseye,ply,relief,trace"]),
        Job("track", program, ["segment", str(data), "--track", "--jobs", "2", "--save", "label"]),
        Job("compare", program, ["compare", str(data), "--solvers", "vrsgt,drsgd", "--objectives",
                                 "robust", "--baselines", "svd", "--frames", "0:4", "--budget",
                                 "messages=200", "--save", "panels"]),
        Job("fleet", program, ["fleet", str(vehicles), "--save", "label,picture"], resumes=False),
        Job("mpi", program, ["segment", str(data), "--save", "label", "--patience", "20"], ranks=3),
    ]
    jobs = [job for job in jobs if not wanted or job.name in wanted]
    for job in jobs:
        job.data = vehicles if job.name == "fleet" else data
        out = folder / f"reference_{job.name}"
        began = time.monotonic()
        code, said = job.run(out)
        job.seconds = time.monotonic() - began
        if code != 0:
            sys.exit(f"faults.py: {job.name} fails unharmed: {said}")
        job.reference = contents(out)
        job.size = sum(p.stat().st_size for p in out.rglob("*") if p.is_file())
    return jobs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", default="")
    options = parser.parse_args()
    program = options.program.resolve()
    wanted = [name for name in options.jobs.split(",") if name]

    counts = Counter()
    ends = Counter()
    failures = []
    with tempfile.TemporaryDirectory(prefix="faults_") as name:
        folder = Path(name)
        jobs = make_jobs(program, folder, wanted)
        faults = MOMENTS + [f for f in FULL if f != "full_disk" or can_mount(folder)]
        for seed in range(options.seed, options.seed + options.runs):
            rng = random.Random(seed)
            job = rng.choice(jobs)
            fault = rng.choice(faults)
            if fault == "short_files" and job.ranks:
                fault = kill  # MPI itself maps files
            label = f"{job.name}, {fault if isinstance(fault, str) else fault.__name__}"
            place = folder / "run"
            place.mkdir()
            try:
                code = one_run(job, fault, place, rng, job.size)
                ends[job.name, "unharmed" if code == 0 else "ended early"] += 1
            except Failure as failure:
                failures.append(f"seed {seed} ({label}): {failure}")
                print(f"seed {seed} ({label}): {failure}", file=sys.stderr)
            counts[label] += 1
            shutil.rmtree(place)

    for label in sorted(counts):
        print(f"{label:28} {counts[label]:4}")
    for (job, end), count in sorted(ends.items()):
        print(f"{job}: {end} {count}")
    print(f"{options.runs} runs from seed {options.seed}: {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
