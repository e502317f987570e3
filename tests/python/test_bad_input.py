"""Whatever comes in: the right answer or a clear exception, never a crash."""

import numpy as np
import pytest
from conftest import same

import roadplane


def refusal(*arguments, **options):
    with pytest.raises(roadplane.InputError) as caught:
        roadplane.segment(*arguments, **options)
    error = caught.value
    assert isinstance(error, ValueError)
    assert str(error) == f"{error.where}: expected {error.expected}, found {error.found}"
    assert "\n" not in str(error)
    return error


@pytest.mark.parametrize("array, found", [
    ([[1.0, 2.0, 3.0]], "list"),
    (None, "NoneType"),
    ("points.bin", "str"),
    (np.zeros((10, 4), np.float16), "dtype float16"),
    (np.zeros((10, 4), np.int32), "dtype int32"),
    (np.zeros((10, 4), ">f4"), "dtype >f4"),
    (np.zeros((10, 4), object), "dtype object"),
    (np.zeros(10, [("x", "f4"), ("y", "f4"), ("z", "f4")]), "dtype ["),
    (np.zeros(12, np.float32), "shape (12,)"),
    (np.zeros((10, 2), np.float32), "shape (10, 2)"),
    (np.zeros((10, 6), np.float32), "shape (10, 6)"),
    (np.zeros((2, 5, 4), np.float32), "shape (2, 5, 4)"),
    (np.float32(1), "float32"),
])  # fmt: skip
def test_what_is_no_scan_is_refused(array, found):
    error = refusal(array)
    assert error.where == "points" and error.found.startswith(found)
    assert "float32" in error.expected and "(N, 4)" in error.expected


@pytest.mark.parametrize("array", [
    np.zeros((0, 4), np.float32),
    np.zeros((50, 4), np.float32),
    np.full((50, 4), np.nan, np.float32),
    np.full((50, 3), np.inf, np.float32),
    np.full((50, 3), 3e38, np.float32),
    np.ones((2, 4), np.float32),
    np.ones((100, 4), np.float32),
    np.outer(np.arange(100), [1, 2, 3]).astype(np.float32),
])  # fmt: skip
def test_points_without_a_plane_are_refused(array):
    error = refusal(array)
    assert error.where == "points" and "points" in error.expected


@pytest.mark.parametrize("layout", [
    np.asfortranarray,
    lambda p: np.repeat(p, 2, axis=0)[::2],
    lambda p: np.hstack([p, p[:, :1]]),
    lambda p: np.hstack([p, p])[:, :4],
    lambda p: np.ascontiguousarray(p[:, :3]),
    lambda p: p[:, :3],
    lambda p: np.hstack([p, p[:, :1]])[:, :3],
    lambda p: np.ascontiguousarray(p[::-1])[::-1],
    lambda p: np.frombuffer(b"x" + p.tobytes(), np.uint8)[1:].view(np.float32).reshape(p.shape),
    lambda p: np.ascontiguousarray(np.ma.masked_array(p)),
])  # fmt: skip
def test_every_layout_of_the_same_points_gives_the_same(points, layout):
    other = layout(points)
    expected = points.copy()
    if other.shape[1] == 3:
        expected[:, 3] = 0  # no reflectance
    assert same(roadplane.segment(expected), roadplane.segment(other))


def test_read_only_points_are_taken_and_left_as_they_are(points):
    kept = points.copy()
    frozen = points.copy()
    frozen.flags.writeable = False
    assert same(roadplane.segment(frozen), roadplane.segment(points))
    assert np.array_equal(points, kept)


def test_a_mapped_file_is_taken(points, tmp_path):
    points.tofile(tmp_path / "scan.bin")
    mapped = np.memmap(tmp_path / "scan.bin", np.float32, "r").reshape(-1, 4)
    assert same(roadplane.segment(mapped), roadplane.segment(points))


@pytest.mark.parametrize("options, where", [
    ({"target": "raod"}, "target"),
    ({"target": 3}, "target"),
    ({"agents": 0}, "agents"),
    ({"agents": -1}, "agents"),
    ({"agents": 10**9, "topology": "ring"}, "agents"),
    ({"agents": 10**30}, "agents"),
    ({"agents": 1.5}, "agents"),
    ({"agents": "4"}, "agents"),
    ({"threshold": "5"}, "threshold"),
    ({"threshold": 0.1}, "threshold"),
    ({"topology": "nowhere.json"}, "topology: nowhere.json"),
    ({"links": "drop=2"}, "links: drop"),
    ({"wire": "double"}, "wire"),
    ({"max_tilt_deg": float("nan")}, "max_tilt_deg"),
    ({"min_height_m": 5, "max_height_m": 4}, "min_height_m"),
    ({"iterations": 0}, "iterations"),
    ({"tolerance": -1}, "tolerance"),
    ({"batch": 0}, "batch"),
    ({"step": -1}, "step"),
    ({"seed": -1}, "seed"),
    ({"loss": ""}, "loss"),
    ({"solver": "x"}, "solver"),
    ({"objective": "x"}, "objective"),
    ({"scale": "1m"}, "scale"),
    ({"surface": "x"}, "surface"),
    ({"shards": "x"}, "shards"),
    ({"mixing": "x"}, "mixing"),
])  # fmt: skip
def test_bad_options_are_named(points, options, where):
    assert refusal(points, **options).where == where


def test_other_options_in_a_message_have_the_names_that_the_user_knows(points):
    assert refusal(points, min_height_m=5, max_height_m=4).expected == "less than max_height_m (4)"


def test_an_unknown_option_is_a_type_error(points):
    with pytest.raises(TypeError, match="did you mean max_tilt_deg"):
        roadplane.segment(points, max_tilt_degs=3)


def test_bad_datasets(tmp_path, street):
    with pytest.raises(roadplane.InputError) as caught:
        roadplane.open_dataset(tmp_path / "nowhere")
    assert "nowhere" in caught.value.where
    with pytest.raises(roadplane.InputError):
        roadplane.open_dataset(tmp_path)
    with pytest.raises(roadplane.InputError) as caught:
        roadplane.open_dataset(street, frames="5:1")
    assert caught.value.where == "frames"
    with pytest.raises(TypeError):
        roadplane.open_dataset(3)
    scan = tmp_path / "000000.bin"
    scan.write_bytes(b"short")
    with pytest.raises(roadplane.InputError) as caught:
        roadplane.open_dataset(scan)[0].points
    assert str(scan) in caught.value.where
    with pytest.raises(IndexError):
        roadplane.open_dataset(street)[2]


def test_bad_scores(points):
    labels = np.zeros(len(points), bool)
    for arguments, where in [
        ((labels, labels[1:]), "truth"),
        ((labels, labels, points[1:]), "points"),
        ((labels.astype(float), labels), "labels"),
        ((labels, list(labels)), "truth"),
        ((labels.reshape(1, -1), labels), "labels"),
    ]:
        with pytest.raises(roadplane.InputError) as caught:
            roadplane.score(*arguments)
        assert caught.value.where == where
    with pytest.raises(roadplane.InputError) as caught:
        roadplane.score(labels, labels.astype(np.uint32), scoring="patchwork")
    assert caught.value.where == "points"
    with pytest.raises(roadplane.InputError) as caught:
        roadplane.score(labels, labels, scoring="patchworkpp")
    assert caught.value.where == "scoring"
    with pytest.raises(roadplane.InputError) as caught:
        roadplane.score(labels, labels, target="sky")
    assert caught.value.where == "target"
