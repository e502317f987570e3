"""VRSGT against DRSGD, frame by frame, as Markdown: frame_table.py COMPARE.json ...

A row per frame that has a truth, of every file a run of compare with both solvers on both objectives:
medians over the seeds, the better number in bold.
"""

import json
import statistics
import sys

COLUMNS = [
    ("robust: recovery error", "robust", "recovery_error"),
    ("from the minimiser", "robust", "minimiser_distance"),
    ("l3: recovery error", "l3", "recovery_error"),
    ("from the minimiser", "l3", "minimiser_distance"),
    ("StaGap", "l3", "stationarity_gap"),
]


def median(frame, method, key):
    """Of the runs that did not fail, if any."""
    runs = [run for run in frame["runs"] if run["method"] == method and run["status"] != "failed"]
    return statistics.median(run[key] for run in runs) if runs else None


def cell(frame, objective, key):
    pair = [median(frame, f"{solver}, {objective}", key) for solver in ("VRSGT", "DRSGD")]
    best = min((value for value in pair if value is not None), default=None)
    texts = []
    for value in pair:
        text = "failed" if value is None else f"{value:.1e}".replace("e-0", "e-")
        texts.append(f"**{text}**" if value is not None and value == best else text)
    return ", ".join(texts)


def name_of(frame):
    if frame["truth"] == "annotation":
        return f"annotated {frame['frame']}"
    return f"{frame['sequence']}/{frame['frame']}"


print("| VRSGT, DRSGD | " + " | ".join(title for title, _, _ in COLUMNS) + " |")
print("|---|" + "---:|" * len(COLUMNS))
for file in sys.argv[1:]:
    with open(file) as opened:
        frames = json.load(opened)["frames"]
    for frame in frames:
        if frame["truth"]:
            cells = [cell(frame, objective, key) for _, objective, key in COLUMNS]
            print(f"| {name_of(frame)} | " + " | ".join(cells) + " |")
