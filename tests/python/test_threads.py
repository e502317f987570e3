"""Ten threads at once, without the interpreter's lock, and without a copy of the points."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from conftest import same

import roadplane


def test_ten_threads_give_what_one_gives(street):
    scans = [f.points for f in roadplane.open_dataset(street)]
    jobs = [(scan, target) for scan in scans for target in ("road", "ground")] * 5
    alone = [roadplane.segment(*job) for job in jobs[:4]]
    with ThreadPoolExecutor(10) as pool:
        together = list(pool.map(lambda job: roadplane.segment(*job), jobs * 2))
    assert all(same(result, alone[k % 4]) for k, result in enumerate(together))


def test_errors_in_ten_threads_stay_apart(points):
    def job(k):
        try:
            return roadplane.segment(points, agents=-k if k % 2 else 4).status
        except roadplane.InputError as error:
            return error.found

    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(job, range(40)))
    assert found == [str(-k) if k % 2 else "ok" for k in range(40)]


def test_other_threads_run_meanwhile(points):
    large = np.tile(points, (20, 1))
    done = threading.Event()
    worker = threading.Thread(target=lambda: (roadplane.segment(large), done.set()))
    worker.start()
    ticks = 0
    while not done.is_set():
        time.sleep(0.001)  # held up until the end if the lock were not released
        ticks += 1
    worker.join()
    assert ticks > 10


PEAK = """
import re, sys
import numpy as np
import roadplane
rng = np.random.default_rng(1)
points = np.zeros((2_000_000, int(sys.argv[1])), np.float32, sys.argv[2])
for k in range(0, len(points), 100_000):  # no large temporaries: the peak is that of segment()
    points[k : k + 100_000, :2] = rng.uniform(-40, 40, (100_000, 2))
    points[k : k + 100_000, 2] = rng.normal(-1.7, 0.02, 100_000)
peak_kb = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
before = peak_kb()
roadplane.segment(points)
print(peak_kb() - before)
"""


def test_points_are_not_copied():
    """Rows of three or four floats are not copied; others are gathered into 16 bytes a point."""
    peak_kb = {
        layout: int(subprocess.run([sys.executable, "-c", PEAK, *layout], check=True,
                                   capture_output=True, text=True).stdout)
        for layout in ("3C", "4C", "5C", "4F")
    }  # fmt: skip
    gathered_kb = 2_000_000 * 16 / 1024
    for rows in ("3C", "4C"):
        assert abs(peak_kb["4F"] - peak_kb[rows] - gathered_kb) < 0.1 * gathered_kb, peak_kb
    assert abs(peak_kb["4F"] - peak_kb["5C"]) < 0.1 * gathered_kb, peak_kb
