"""compare() and solve() of roadplane, see there."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roadplane import _native


def columns_of(csv: str) -> dict[str, npt.NDArray[np.float64]]:
    """A table with a heading as one array per column; what is empty is NaN."""
    heading, *lines = csv.splitlines()
    rows = [[float(cell or "nan") for cell in line.split(",")] for line in lines]
    values = np.array(rows, np.float64).reshape(len(rows), heading.count(",") + 1)
    return {name: values[:, k] for k, name in enumerate(heading.split(","))}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What compare() found; print() shows it as a table."""

    findings: tuple[str, ...]  #: what the numbers say, a sentence each
    protocol: tuple[str, ...]  #: what they rest on: network, shards, budget, steps, truth
    summary: list[dict[str, Any]]  #: a method each: medians over frames and seeds
    frames: list[dict[str, Any]]  #: a frame each: its `runs` and `curves`
    text: str  #: the table of `roadplane compare`

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<roadplane.Comparison: {len(self.summary)} methods, frames: {len(self.frames)}>"


def compare(
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    solvers: str = "vrsgt,drsgd",
    objectives: str = "robust,l3",
    baselines: str = "none",
    **options: Any,
) -> Comparison:
    """Compare solvers on the frames of a recording, as `roadplane compare` does.

    path        what open_dataset() opens
    solvers     "vrsgt,destiny,drsgd,...", "none"
    objectives  "robust", "l3" or both: each solver runs with each of them
    baselines   centralised methods: "svd,psgm,irls,ransac", "none"
    options     frames="52,56", budget="messages=500", repeat=3, tune=True, jobs=2, agents=16, ...: the options of
                `roadplane compare`, with _ for -

    Every method gets the same points in the same shards, the same network, start and budget. Returns a Comparison.
    Raises InputError for bad input.
    """
    if isinstance(path, (str, os.PathLike)):
        path = [path]
    paths = [os.fspath(p) for p in path]
    wanted = {"solvers": solvers, "objectives": objectives, "baselines": baselines, **options}
    with tempfile.TemporaryDirectory(prefix="roadplane-") as folder:
        compared, text = _native.compare(paths, wanted, folder)
    all_of_it = json.loads(compared)
    return Comparison(
        findings=tuple(all_of_it["findings"]),
        protocol=tuple(all_of_it["protocol"]),
        summary=all_of_it["summary"],
        frames=all_of_it["frames"],
        text=text,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """What solve() found."""

    x: npt.NDArray[np.float64]  #: (n, p), orthonormal columns: the mean over the agents
    record: dict[str, Any]  #: how the solve ended and what it cost: solve.json
    trace: dict[str, npt.NDArray[np.float64]]  #: the convergence, an array per column

    def __repr__(self) -> str:
        n, p = self.x.shape
        ended = f"{self.record['termination']} after {self.record['iterations']} iterations"
        return f"<roadplane.Solution n = {n}, p = {p}: {ended}>"


def solve(
    points: npt.NDArray[np.floating[Any]], objective: str = "pca", p: int = 1, agents: int = 16, **options: Any
) -> Solution:
    """Minimise an objective over n x p matrices with orthonormal columns, as `roadplane solve` does.

    points     array of shape (N, n), a point per row; it is copied
    objective  "pca", "l3" or "robust" (which needs scale=...)
    p          columns of the solution
    agents     number of agents that share the points
    options    solver="drsgd", centre=True, normalise="points", iterations=1000, ...: the options of `roadplane solve`,
               with _ for -

    Returns a Solution. Raises InputError for bad input.
    """
    with tempfile.TemporaryDirectory(prefix="roadplane-") as folder:
        file = os.path.join(folder, "points.npy")
        np.save(file, np.asarray(points))
        wanted = {"objective": objective, "p": p, "agents": agents, **options}
        x, record, trace = _native.solve(file, wanted)
    return Solution(x, json.loads(record), columns_of(trace))
