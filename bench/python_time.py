"""python_time.py SEGMENT_TIME DATASET [REPEATS]: the Python module's time over the C++ function's.

The least of REPEATS (30) wall times of each frame, by turns frame by frame where it matters little what
else the machine does; prints a row a frame and the ratio of the sums.
"""

import subprocess
import sys
import time

import roadplane


def least_ms(function, repeats):
    least = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        function()
        least = min(least, time.perf_counter() - begin)
    return 1e3 * least


program, path = sys.argv[1:3]
repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 30
cpp = subprocess.run([program, path, str(repeats)], check=True, capture_output=True, text=True)
sums = [0.0] * 4
print("frame, road: C++, Python [ms]; ground: C++, Python [ms]")
for frame, line in zip(roadplane.open_dataset(path), cpp.stdout.splitlines()):
    name, road, ground = line.split()
    assert name == frame.name
    points = frame.points
    row = [float(road), least_ms(lambda: roadplane.segment(points), repeats),
           float(ground), least_ms(lambda: roadplane.ground(points), repeats)]  # fmt: skip
    sums = [a + b for a, b in zip(sums, row)]
    print(f"{name}  {row[0]:.3f} {row[1]:.3f}  {row[2]:.3f} {row[3]:.3f}")
print(f"Python over C++: road {sums[1] / sums[0]:.3f}, ground {sums[3] / sums[2]:.3f}")
