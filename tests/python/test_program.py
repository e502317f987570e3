"""The module gives what the program gives, bit for bit."""

import json
import subprocess

import numpy as np
import pytest
from conftest import PROGRAM

import roadplane

LABELLED = {
    "kitti/odometry": ("road", "ground"),
    "lidar/nuscenes": ("road", "ground"),
    "lidar/nuscenes_native": ("road", "ground"),
    "lidar/livox": ("road", "ground"),
    "kitti/dpcp_annotations/09_29_071": ("plane", "ground"),
}
OF_A_RUN = {"name", "sequence", "frame", "ms"}  # what a scan in memory has not, and times
OF_A_TRUTH = {
    "truth", "scoring", "recovery_error", "recovery_error_worst_agent", "angle_deg",
    "height_error_m", "precision", "recall", "f1", "iou", "accuracy", "auc", "best_f1",
}  # fmt: skip


def run_program(path, out, *options):
    subprocess.run([PROGRAM, "segment", path, "--save", "label", "--out", out, *options],
                   check=True, capture_output=True)  # fmt: skip
    with open(out / "frames.jsonl") as lines:
        return {record["name"]: record for record in map(json.loads, lines)}


def compare(path, out, target, *options, **arguments):
    records = run_program(path, out, "--target", target, *options)
    frames = roadplane.open_dataset(path)
    assert len(frames) == len(records)
    for frame in frames:
        result = roadplane.segment(frame.points, target, **arguments)
        label = out / "sequences" / frame.sequence / "predictions" / f"{frame.path.name.split('.')[0]}.label"
        written = np.fromfile(label, np.uint32)
        assert np.array_equal(written == 40, result.labels), frame
        theirs = {k: v for k, v in records[frame.name].items() if k not in OF_A_RUN | OF_A_TRUTH}
        ours = {k: v for k, v in result.record.items() if k not in OF_A_RUN}
        assert ours == theirs, frame
        truth = frame.annotation if frame.labels is None else frame.labels
        if truth is not None:
            score = roadplane.score(result.labels, truth, target=target)
            for metric in ("precision", "recall", "f1", "iou", "accuracy"):
                assert getattr(score, metric) == records[frame.name][metric], (frame, metric)
    return len(frames)


@pytest.mark.parametrize("target", ["plane", "road", "ground"])
def test_street(street, tmp_path, target):
    assert compare(street, tmp_path / "run", target) == 2


def test_street_with_options(street, tmp_path):
    compare(street, tmp_path / "run", "road", "--agents", "5", "--topology", "ring", "--shards",
            "random", "--seed", "9", "--threshold", "0.2m", "--max-tilt-deg", "10",
            agents=5, topology="ring", shards="random", seed=9, threshold="0.2m", max_tilt_deg=10)  # fmt: skip


@pytest.mark.parametrize("path, target", [(p, t) for p, ts in LABELLED.items() for t in ts])
def test_labelled_frames(data, tmp_path, path, target):
    assert compare(data / path, tmp_path / "run", target) > 0
