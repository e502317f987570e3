"""roadplane finds the road in LiDAR scans by agents that agree without collecting the points.

    import roadplane
    points = roadplane.open_dataset("sequences/04")[0].points    # or any array of shape (N, 3) to (N, 5)
    result = roadplane.segment(points)
    print(result.status, result.plane.height_m, result.plane.tilt_deg)
    road = points[result.labels]

segment() labels the points of a scan, a Tracker those of one scan after another, find_plane() gives the
plane alone, ground() labels all ground and gives every point's height above it, open_dataset() reads
recordings, score() compares labels with a truth. For research, compare() compares solvers and solve()
minimises over any table of points. Results are those of the program `roadplane`, bit for bit. Bad input is
an InputError that says where, what was expected and what was found. The functions run without the interpreter's lock, so threads
work on several scans at a time; do not write to an array while a scan in it is being segmented.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Comparison", "Dataset", "Frame", "InputError", "Options", "Plane", "Score", "Segmentation", "Solution", "Tracker",
    "compare", "find_plane", "ground", "open_dataset", "score", "segment", "solve",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__version__"])


class InputError(ValueError):
    """Bad input: `where` (an argument or a file), what was `expected` there and what was `found`."""

    def __init__(self, where: str, expected: str, found: str) -> None:
        super().__init__(where, expected, found)
        self.where = where
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, found {self.found}"


# What needs InputError.
from roadplane import _native  # noqa: E402
from roadplane._research import Comparison, Solution, columns_of, compare, solve  # noqa: E402

__version__: str = _native.version

Target = Literal["plane", "road", "ground"]
Scoring = Literal["strict", "patchworkpp", "patchwork"]
Interval = tuple[float, float]


class Options(TypedDict, total=False):
    """Options of segment(), find_plane() and ground(); `roadplane segment --help` says more of each."""

    surface: Literal["auto", "plane", "relief", "road"]
    """What is labelled; auto: the relief for ground, the road for road, else the plane's points."""
    threshold: str
    """Largest distance of a labelled point: "0.125m", "15cm", "0.011rad", "0.6deg"; auto: the target's."""
    seed: int
    """Random seed for the network, the shards and the samples."""
    shards: Literal["azimuth", "contiguous", "interleaved", "random"]
    """Which agent gets which points."""
    topology: str
    """Who talks to whom: erdos-renyi:PROBABILITY, ring, star, complete, grid, path or FILE.json."""
    mixing: Literal["metropolis", "lazy-metropolis", "max-degree"]
    """Weights of the mixing matrix."""
    links: str
    """Faults of the network: "drop=0.1,sleep=0.3,outage=5,leave=3@200,latency=200us"."""
    wire: str
    """Size of a number in a message: full, single, half or bits=N; auto: what suits the message."""
    solver: str
    """Solver: vrsgt, destiny, drsgd, ..."""
    objective: Literal["robust", "l3"]
    """Objective: robust, or the paper's l3."""
    loss: str
    """Loss of the robust objective: tukey, ..."""
    scale: str
    """Scale of the robust loss, as an angle ("0.008rad"); auto: what suits the target."""
    max_tilt_deg: float
    """Maximum tilt of a road relative to the sensor [deg]."""
    min_height_m: float
    """Minimum height of the sensor above a road [m]."""
    max_height_m: float
    """Maximum height of the sensor above a road [m]."""
    step: float
    """Step size; 0 is automatic."""
    batch: int
    """Samples per agent and inner iteration."""
    iterations: int
    """Maximum iterations."""
    tolerance: float
    """Residual of every agent at which l3 has converged."""


@dataclass(frozen=True, eq=False, repr=False)
class Plane:
    """The plane {p : normal . p + height_m = 0}, in the points' frame, its normal pointing up."""

    normal: npt.NDArray[np.float64]  #: (3,), unit length
    height_m: float  #: of the sensor (the origin) above the plane [m]
    tilt_deg: float  #: between the normal and the z axis [deg]
    height_m_95: Interval | None  #: 95 % interval; None where there is none
    tilt_deg_95: Interval | None  #: 95 % interval; None where there is none
    status: str  #: ok, incomplete (the agents differ) or suspect (it may not be the road)
    notes: tuple[str, ...]  #: what is out of the ordinary, and why it is suspect

    def distances(self, points: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        """Of each point from the plane [m], positive above it."""
        return np.asarray(points[:, :3] @ self.normal + self.height_m)

    def __repr__(self) -> str:
        return f"<roadplane.Plane {self.status}: {self._place()}>"

    def _place(self) -> str:
        return f"{self.height_m:.3f} m below the sensor, tilt {self.tilt_deg:.2f} deg"


@dataclass(frozen=True, eq=False, repr=False)
class Segmentation:
    """Labels, distances and plane of a scan; arrays are as long as the scan and in its order."""

    labels: npt.NDArray[np.bool_]  #: (N,), True for road (or what the target is): points[labels]
    distances: npt.NDArray[np.float32]
    """(N,), signed distance from the surface, in the threshold's unit: metres for road and ground.
    Infinite for missing returns (NaN, infinite, the origin)."""
    plane: Plane
    record: dict[str, Any]  #: all that a run records of a frame, see docs/results.md
    trace: dict[str, npt.NDArray[np.float64]] | None = None
    """With trace=True: rounds, stationarity_gap, consensus and so on, a value per entry of the trace."""

    @property
    def status(self) -> str:
        """ok, incomplete (the agents differ) or suspect (the plane may not be the road)."""
        return self.plane.status

    @property
    def notes(self) -> tuple[str, ...]:
        """What is out of the ordinary, and why it is suspect; empty if nothing."""
        return self.plane.notes

    def __repr__(self) -> str:
        name, count, size = self.record["target"], self.labels.sum(), len(self.labels)
        return f"<roadplane.Segmentation {self.status}: {count} of {size} points are {name}; plane {self.plane._place()}>"


def segment(
    points: npt.NDArray[np.floating[Any]],
    target: Target = "road",
    agents: int = 16,
    *,
    trace: bool = False,
    **options: Unpack[Options],
) -> Segmentation:
    """Label the points of a scan.

    points   float32 or float64 array of shape (N, 3), (N, 4) or (N, 5): x forward, y left, z up [m]; a
             fourth column is the reflectance, which target road looks at, a fifth is ignored. A float32 array
             of three columns, or of four in C order, is used in place, without a copy, and may be read-only;
             others are copied. A float64 array
             (Open3D's default) is copied to float32: subtract the origin of large map coordinates first.
             Missing returns (NaN, infinite, 0 0 0) are labelled False.
    target   "road": the lowest plane that carries points, "plane": the plane that most points lie on,
             "ground": all ground, even if it is not flat.
    agents   number of agents that share the points and agree on the plane.
    trace    also record the convergence, in Segmentation.trace.
    options  threshold="0.2m", seed=2, topology="ring", ...: see roadplane.Options.

    Returns a Segmentation: labels, distances, plane (normal, height_m, tilt_deg, intervals), status, notes
    and record. Raises InputError (a ValueError) for a bad argument, or if the points hold no plane.

    >>> result = roadplane.segment(points, target="ground")
    >>> result.status, result.plane.height_m, points[result.labels]
    """
    return _segmentation(
        *_native.segment(points, {"target": target, "agents": agents, **options}, trace)
    )


class Tracker:
    """Segments one scan after another of the same sensor, by agents that remember the plane.

    Each scan begins at the plane of the scan before, which takes a third of the messages of segment() and
    finds the same plane; where what comes of it is doubted, the scan is solved as segment() does. Results are
    those of `roadplane segment --track`, bit for bit; the program begins afresh every 64 frames.

    Arguments are those of segment(). A tracker does one scan at a time; threads have one each.

    >>> tracker = roadplane.Tracker(target="ground")
    >>> for frame in roadplane.open_dataset("sequences/04"):
    ...     result = tracker(frame.points)
    ...     result.record["began"], result.plane.height_m
    """

    def __init__(
        self, target: Target = "road", agents: int = 16, **options: Unpack[Options]
    ) -> None:
        self._native = _native.Tracker({"target": target, "agents": agents, **options})

    def __call__(
        self,
        points: npt.NDArray[np.floating[Any]],
        motion: npt.NDArray[np.float64] | None = None,
    ) -> Segmentation:
        """Label the next scan. `motion`, a (3, 4) or (4, 4) array, takes points from the frame of the scan
        before to that of this one, where it is known. `record["began"]` says where the solve began:
        "found" in the points, "tracked" from the scan before, or there but "lost", and found again."""
        return _segmentation(*self._native.segment(points, motion))

    def forget(self) -> None:
        """The next scan does not follow the last one."""
        self._native.forget()


def _segmentation(
    labels: npt.NDArray[np.bool_],
    distances: npt.NDArray[np.float32],
    record: dict[str, Any],
    trace_csv: str,
) -> Segmentation:
    note = record.get("note", "")
    plane = Plane(
        normal=np.array(record["plane"]["normal"]),
        height_m=record["height_m"],
        tilt_deg=record["tilt_deg"],
        height_m_95=_interval(record.get("height_m_95")),
        tilt_deg_95=_interval(record.get("tilt_deg_95")),
        status=record["status"],
        notes=tuple(note.split("; ")) if note else (),
    )
    return Segmentation(labels, distances, plane, record, columns_of(trace_csv) if trace_csv else None)


def find_plane(
    points: npt.NDArray[np.floating[Any]],
    target: Target = "road",
    agents: int = 16,
    **options: Unpack[Options],
) -> Plane:
    """The plane of the road (target="plane": the plane that most points lie on) in a scan.

    Arguments and errors are those of segment(). Returns a Plane: normal, height_m, tilt_deg, their 95 %
    intervals, status and notes.
    """
    options.setdefault("surface", "plane")
    return segment(points, target, agents, **options).plane


def ground(
    points: npt.NDArray[np.floating[Any]], agents: int = 16, **options: Unpack[Options]
) -> Segmentation:
    """Label all ground, however it rises and falls: segment() with target="ground".

    `distances` of the result are the points' heights above the ground below them [m].
    """
    return segment(points, "ground", agents, **options)


class Frame:
    """A scan of a recording and what lies beside it; each is read when it is first asked for."""

    def __init__(self, native: _native.Frame) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """Unique in the recording: "04/000056"."""
        return self._native.name

    @property
    def sequence(self) -> str:
        """Drive, sequence, split or folder."""
        return self._native.sequence

    @property
    def number(self) -> int:
        """From the scan's file name."""
        return self._native.number

    @property
    def path(self) -> os.PathLike[str]:
        """The scan's file."""
        return self._native.path

    @cached_property
    def points(self) -> npt.NDArray[np.float32]:
        """(N, 4): x, y, z [m] in the sensor's frame, reflectance."""
        return self._native.points()

    @cached_property
    def image(self) -> npt.NDArray[np.uint8] | None:
        """(height, width, 3) RGB, or None."""
        return self._native.image()

    @cached_property
    def calibration(self) -> npt.NDArray[np.float64] | None:
        """(3, 4), from [x y z 1] in the sensor's frame to pixels times depth, or None."""
        return self._native.calibration()

    @cached_property
    def labels(self) -> npt.NDArray[np.uint32] | None:
        """(N,), SemanticKITTI classes (the low 16 bits) and instances, or None."""
        return self._native.labels()

    @cached_property
    def annotation(self) -> npt.NDArray[np.bool_] | None:
        """(N,), True for road, of a DPCP annotation, or None."""
        return self._native.annotation()

    def __repr__(self) -> str:
        return f"<roadplane.Frame {self.name}: scan, {self._native.contents}>"


class Dataset(Sequence[Frame]):
    """The frames of a recording, as a sequence."""

    def __init__(self, native: _native.Dataset) -> None:
        self.layout = native.layout  #: what it was recognised as
        self.name = native.name
        self.remarks = tuple(native.remarks)  #: what was left out or not found
        self._frames = [Frame(frame) for frame in native.frames]

    def __len__(self) -> int:
        return len(self._frames)

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...
    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        return self._frames[index]

    def __repr__(self) -> str:
        return f"<roadplane.Dataset {self.name}: {self.layout}, {len(self)} frames>"


def open_dataset(
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    sequence: str = "",
    topic: str = "",
    frames: str = "",
    format: str = "auto",
    calib: str | os.PathLike[str] = "",
    transform: str | os.PathLike[str] = "",
    sensor_height_m: float = 0.0,
    sensor_origin: str = "",
) -> Dataset:
    """Open whatever `roadplane info PATH` recognises: KITTI, nuScenes, a folder of scans, a scan, several.

    sequence         one sequence or drive of several
    topic            of the clouds in a recording (.bag, .db3, .mcap) that has several
    frames           "0:100", "0:100:10", "1,45"; all if empty
    format           of raw floats in .bin files: kitti, nuscenes, xyz, xyzi, xyzir, or auto, by the name
    calib            a calibration, where it is not where the layout has it
    transform        from the file's frame to the sensor's: a file, or "x,y,z,roll,pitch,yaw" [m, deg]
    sensor_height_m  of the sensor in clouds whose ground is at z = 0 [m]
    sensor_origin    "x,y,z" of the sensor in the file's frame [m]

    Returns a Dataset, a sequence of Frames with points, image, calibration, labels and annotation as
    arrays, read when they are asked for. Raises InputError for what cannot be opened.
    """
    if isinstance(path, (str, os.PathLike)):
        path = [path]
    paths = [os.fspath(p) for p in path]
    return Dataset(
        _native.open_dataset(
            paths,
            {
                "sequence": sequence,
                "topic": topic,
                "frames": frames,
                "format": format,
                "calib": os.fspath(calib),
                "transform": os.fspath(transform),
                "sensor_height_m": sensor_height_m,
                "sensor_origin": sensor_origin,
            },
        )
    )


@dataclass(frozen=True)
class Score:
    """Labels against a truth, point by point. Ratios of nothing are 0."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    precision: float
    recall: float
    f1: float
    iou: float
    accuracy: float
    left_out: int = 0  #: points that the scoring does not count
    by_distance: dict[str, Score] | None = None  #: "0-10 m", ...; where points are given


def score(
    labels: npt.NDArray[Any],
    truth: npt.NDArray[Any],
    points: npt.NDArray[np.floating[Any]] | None = None,
    *,
    target: Target = "road",
    scoring: Scoring = "strict",
) -> Score:
    """Compare labels with a truth, as `roadplane score` does.

    labels   Segmentation.labels, or SemanticKITTI classes of any program (40 is road)
    truth    Frame.labels, SemanticKITTI classes, or an array of bool such as Frame.annotation
    points   of the scan, for scores by distance and for scoring="patchwork"
    target   which classes are positive: road or plane (40, 44, 60), ground (also 48, 49, 72)
    scoring  strict, patchworkpp or patchwork: which points count, see docs/scoring.md
    """
    counts, left_out, bands = _native.score(labels, truth, points, target, scoring)
    by_distance = None if bands is None else {k: Score(**v) for k, v in bands.items()}
    return Score(**counts, left_out=left_out, by_distance=by_distance)


def _interval(ends: list[float] | None) -> Interval | None:
    return None if ends is None else (ends[0], ends[1])
