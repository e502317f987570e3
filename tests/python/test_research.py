"""compare() and solve(): what the program's commands give."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import roadplane

PROGRAM = os.environ["ROADPLANE_PROGRAM"]
REPOSITORY = pathlib.Path(__file__).parents[2]


def without_times(run):
    return {key: value for key, value in run.items() if key not in ("ms", "seconds")}


def test_compare_is_the_programs(street, tmp_path):
    ours = roadplane.compare(street, solvers="vrsgt,drsgd", objectives="robust", frames="0", agents=4)
    options = "--solvers vrsgt,drsgd --objectives robust --baselines none --frames 0 --agents 4 --save none --quiet"
    subprocess.run([PROGRAM, "compare", street, *options.split(), "--out", tmp_path / "run"], check=True)
    theirs = json.loads((tmp_path / "run/compare.json").read_text())
    assert [row["method"] for row in ours.summary] == ["VRSGT, robust", "DRSGD, robust"]
    for mine, other in zip(ours.frames[0]["runs"], theirs["frames"][0]["runs"]):
        assert without_times(mine) == without_times(other)
    assert list(ours.findings) == theirs["findings"] and "VRSGT" in str(ours)
    assert repr(ours) == "<roadplane.Comparison: 2 methods, frames: 1>"


def test_solve_finds_the_components():
    points = np.random.default_rng(1).normal(size=(500, 5)) * [5, 4, 1, 1, 1]
    solution = roadplane.solve(points, "pca", p=2, agents=4)
    assert solution.x.shape == (5, 2) and np.allclose(solution.x.T @ solution.x, np.eye(2))
    exact = np.linalg.eigh(points.T @ points)[1][:, -2:]
    assert np.linalg.norm(solution.x - exact @ (exact.T @ solution.x)) < 1e-6
    assert solution.record["termination"] == "converged" and "\n" not in repr(solution)
    assert solution.trace["stationarity_gap"][-1] < 1e-10


@pytest.mark.parametrize("call, where", [
    (lambda: roadplane.compare("missing"), "missing"),
    (lambda: roadplane.compare("missing", solvers="best"), "solvers"),
    (lambda: roadplane.compare("missing", repeat=0), "repeat"),
    (lambda: roadplane.solve(np.zeros((5, 3)), "robust"), "scale"),
    (lambda: roadplane.solve(np.zeros((5, 3)), p=7), "p"),
])  # fmt: skip
def test_bad_input_names_what_is_wrong(call, where):
    with pytest.raises(roadplane.InputError) as caught:
        call()
    assert where in caught.value.where


def test_an_unknown_option_is_a_type_error():
    for call in (lambda: roadplane.compare("x", solver="vrsgt"), lambda: roadplane.solve(np.eye(3), agent=3)):
        with pytest.raises(TypeError, match="did you mean"):
            call()


def test_the_notebook_runs(street):
    script = [sys.executable, REPOSITORY / "scripts/notebook.py", REPOSITORY / "docs/python_example.ipynb"]
    environment = {**os.environ, "ROADPLANE_RECORDING": str(street)}
    done = subprocess.run(script, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
