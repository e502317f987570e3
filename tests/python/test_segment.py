import ast
import inspect
import pathlib

import numpy as np
import pytest
from conftest import same

import roadplane


def test_road_of_a_street(points):
    result = roadplane.segment(points)
    assert result.labels.dtype == bool and result.labels.shape == (len(points),)
    assert result.distances.dtype == np.float32 and result.distances.shape == (len(points),)
    assert result.status == "ok" and result.notes == ()
    assert result.plane.normal.shape == (3,)
    assert abs(np.linalg.norm(result.plane.normal) - 1) < 1e-12
    low, high = result.plane.height_m_95
    assert low < result.plane.height_m < high
    assert result.record["inliers"] == result.labels.sum()
    slab = points[roadplane.segment(points, surface="plane").labels]
    assert np.abs(result.plane.distances(slab)).max() < 0.126


def test_float64_is_copied_and_gives_the_same(points):
    double = points.astype(np.float64)
    for array in (double, np.asfortranarray(double), double[:, :3]):
        assert same(roadplane.segment(array), roadplane.segment(np.ascontiguousarray(array, np.float32)))
    assert "copied to float32" in roadplane.segment.__doc__


def test_a_result_is_shown_in_one_line(points):
    result = roadplane.segment(points)
    for shown in (repr(result), repr(result.plane)):
        assert "\n" not in shown and "ok" in shown and f"{result.plane.height_m:.3f}" in shown
    assert f"{result.labels.sum()} of {len(points)}" in repr(result)


def test_dir_has_the_interface_only():
    assert set(dir(roadplane)) == {*roadplane.__all__, "__doc__", "__version__"}
    assert all(getattr(roadplane, name).__doc__ for name in roadplane.__all__)


def test_the_code_needs_nothing_newer_than_python_3_9():
    for file in pathlib.Path(roadplane.__file__).parent.glob("*.py*"):
        if file.suffix in (".py", ".pyi"):
            tree = ast.parse(file.read_text(), feature_version=(3, 9))
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.module == "typing":
                    newer = {"Unpack", "Self", "TypeAlias", "ParamSpec", "override", "NotRequired"}
                    assert not newer & {name.name for name in node.names}, file


def test_a_trace_is_recorded_where_it_is_asked_for(points):
    traced = roadplane.segment(points, trace=True)
    assert roadplane.segment(points).trace is None and same(traced, roadplane.segment(points))
    rounds = traced.trace["rounds"]
    assert len(rounds) > 2 and (np.diff(rounds) >= 0).all()
    assert rounds[-1] <= traced.record["rounds"]
    assert len({len(column) for column in traced.trace.values()}) == 1
    gap = traced.trace["stationarity_gap"]
    assert gap[-1] < gap.max()


def test_labels_follow_the_distances(points):
    result = roadplane.segment(points, threshold="0.2m")
    assert np.array_equal(result.labels, np.abs(result.distances) <= np.float32(0.2))


def test_find_plane_is_the_plane_of_segment(points):
    plane = roadplane.find_plane(points, seed=3)
    other = roadplane.segment(points, seed=3).plane
    assert np.array_equal(plane.normal, other.normal) and plane.height_m == other.height_m


def test_ground_is_segment_with_that_target(points):
    result = roadplane.ground(points)
    assert same(result, roadplane.segment(points, target="ground"))
    assert result.record["target"] == "ground" and "relief" in result.record
    assert not same(result, roadplane.segment(points))


@pytest.mark.parametrize("agents, options", [(1, {}), (4, {"topology": "ring"}),
                                             (8, {"shards": "random", "seed": 7}),
                                             (16, {"objective": "l3", "iterations": 50})])
def test_options_reach_the_solve(points, agents, options):
    result = roadplane.segment(points, "plane", agents, **options)
    assert result.record["points"] == len(points)
    assert not same(result, roadplane.segment(points, "plane", 2))


def test_missing_returns_are_false_and_change_nothing_else(points):
    holes = points.copy()
    holes[::7] = np.nan
    holes[1::7, 2] = np.inf
    holes[2::7] = 0
    result = roadplane.segment(holes)
    for first in range(3):
        assert not result.labels[first::7].any()
        assert np.isinf(result.distances[first::7]).all()
    assert abs(result.plane.height_m - roadplane.find_plane(points).height_m) < 0.02


def test_a_scan_without_a_road_is_suspect_and_says_why(points):
    upside_down = points * np.array([1, 1, -1, 1], np.float32)
    result = roadplane.segment(upside_down)
    assert result.status == "suspect" and result.notes
    assert result.record["note"] == "; ".join(result.notes)


def test_score(street):
    frame = roadplane.open_dataset(street)[0]
    labels = roadplane.segment(frame.points).labels
    score = roadplane.score(labels, frame.labels)
    assert score.f1 > 0.9 and score.by_distance is None
    truth = np.isin(frame.labels & 0xFFFF, [40, 44, 60])
    assert score.true_positives == (labels & truth).sum()
    assert score.false_positives == (labels & ~truth).sum()
    assert roadplane.score(labels, truth) == score
    classes = np.where(labels, 40, 0)
    assert roadplane.score(classes, frame.labels) == score
    banded = roadplane.score(labels, frame.labels, frame.points, scoring="patchworkpp")
    assert sum(b.true_positives for b in banded.by_distance.values()) == banded.true_positives
    assert banded.left_out == np.isin(frame.labels & 0xFFFF, [0, 1, 70]).sum()


def test_help_is_enough_to_start():
    for function in (roadplane.segment, roadplane.find_plane, roadplane.ground,
                     roadplane.open_dataset, roadplane.score):
        assert len(inspect.getdoc(function)) > 100
        assert inspect.signature(function).return_annotation is not inspect.Signature.empty
    text = inspect.getdoc(roadplane.segment)
    for word in ("float32", "target", "agents", "labels", "plane", "status", "InputError"):
        assert word in text


def test_the_documented_options_are_those_there_are():
    documented = set(roadplane.Options.__annotations__) | {"target", "agents"}
    assert documented == set(roadplane._native.option_names())
