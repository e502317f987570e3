import io
import pathlib
import subprocess

import numpy as np
import pytest

import roadplane
from conftest import PROGRAM


def test_frames_of_a_street(street):
    dataset = roadplane.open_dataset(street)
    assert len(dataset) == 2 and [f.number for f in dataset] == [0, 1]
    assert dataset.layout == "odometry" and "2 frames" in repr(dataset)
    frame = dataset[-1]
    assert frame.name == f"{frame.sequence}/000001" and frame.points is frame.points
    assert frame.points.dtype == np.float32 and frame.points.shape[1] == 4
    assert frame.labels.dtype == np.uint32 and frame.labels.shape == (len(frame.points),)
    assert frame.image.dtype == np.uint8 and frame.image.shape[2] == 3
    assert frame.calibration.shape == (3, 4)
    assert frame.annotation is None


def test_arrays_are_those_of_the_files(street):
    frame = roadplane.open_dataset(street)[0]
    raw = np.fromfile(frame.path, np.float32).reshape(-1, 4)
    assert np.array_equal(frame.points, raw)
    label = next(pathlib.Path(street).rglob("000000.label"))
    assert np.array_equal(frame.labels, np.fromfile(label, np.uint32))


def test_the_calibration_leads_to_pixels_of_the_image(street):
    frame = roadplane.open_dataset(street)[0]
    ahead = frame.points[frame.points[:, 0] > 5]
    q = np.c_[ahead[:, :3], np.ones(len(ahead))] @ frame.calibration.T
    u, v = q[:, 0] / q[:, 2], q[:, 1] / q[:, 2]
    height, width, _ = frame.image.shape
    inside = (0 <= u) & (u < width) & (0 <= v) & (v < height)
    assert inside.mean() > 0.2
    road = np.isin(frame.labels[frame.points[:, 0] > 5], [40])
    assert v[inside & road].mean() > height / 2  # the road is in the lower half


def test_arrays_outlive_what_they_came_from(street):
    points = roadplane.open_dataset(street)[0].points
    copy = points.copy()
    [roadplane.open_dataset(street)[1].points for _ in range(5)]
    assert np.array_equal(points, copy)
    labels = roadplane.segment(points).labels
    kept = labels.copy()
    [roadplane.ground(points) for _ in range(5)]
    assert np.array_equal(labels, kept)


def test_selections_and_several_paths(street):
    assert [f.number for f in roadplane.open_dataset(street, frames="1")] == [1]
    scans = [f.path for f in roadplane.open_dataset(street)]
    assert len(roadplane.open_dataset(scans)) == 2
    raised = roadplane.open_dataset(street, transform="0,0,1,0,0,0")[0].points
    assert np.allclose(raised[:, 2], roadplane.open_dataset(street)[0].points[:, 2] + 1)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_archives_of_arrays(tmp_path, points, save):
    file = tmp_path / "scan.npz"
    save(file, points)
    assert np.array_equal(roadplane.open_dataset(file)[0].points, points)
    save(file, times=np.zeros(3), points=points[:, :3].astype(float))
    assert np.array_equal(roadplane.open_dataset(file)[0].points[:, :3], points[:, :3])
    save(file, first=points, second=points)
    with pytest.raises(roadplane.InputError, match="found first, second"):
        roadplane.open_dataset(file)[0].points


def test_damaged_archives_are_refused(tmp_path, points):
    whole = io.BytesIO()
    np.savez_compressed(whole, points[:100])
    whole = whole.getvalue()
    damaged = [whole[:cut] for cut in range(0, len(whole), len(whole) // 40)]
    for at in range(0, len(whole), max(1, len(whole) // 150)):
        changed = bytearray(whole)
        changed[at] ^= 0xFF
        damaged.append(bytes(changed))
    file = tmp_path / "scan.npz"
    refused = 0
    for content in damaged:
        file.write_bytes(content)
        try:
            roadplane.open_dataset(file)[0].points
        except roadplane.InputError as error:
            assert error.where.startswith(str(file)), error
            refused += 1
    assert refused > len(damaged) / 2


def test_nuscenes_and_annotations(data):
    frame = roadplane.open_dataset(data / "lidar/nuscenes_native")[0]
    raw = np.fromfile(frame.path, np.float32).reshape(-1, 5)
    assert len(frame.points) == len(raw) == len(frame.labels)
    annotated = roadplane.open_dataset(data / "kitti/dpcp_annotations/09_29_071")[0]
    assert annotated.annotation.dtype == bool and len(annotated.annotation) == len(annotated.points)
    score = roadplane.score(roadplane.segment(annotated.points, "plane").labels, annotated.annotation)
    assert score.f1 > 0.9


def test_clouds_that_pcl_reads(street, tmp_path):
    frame = roadplane.open_dataset(street)[0]
    few = frame.points[:100]
    header = "VERSION 0.7\nFIELDS x y z intensity\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\n"
    header += "WIDTH 100\nHEIGHT 1\nPOINTS 100\nDATA binary\n"
    (tmp_path / "a.pcd").write_bytes(header.encode() + few.tobytes())
    assert np.array_equal(roadplane.open_dataset(tmp_path / "a.pcd")[0].points, few)


def test_the_sensor_is_where_one_says(street, tmp_path):
    points = roadplane.open_dataset(street)[0].points.copy()
    points[:, :3] += np.float32([100, -50, 20])
    np.save(tmp_path / "map.npy", points)
    frame = roadplane.open_dataset(tmp_path / "map.npy", sensor_origin="100,-50,20")[0]
    plane = roadplane.segment(frame.points).plane
    assert abs(plane.height_m - 1.73) < 0.02
    with pytest.raises(roadplane.InputError, match="sensor_origin: expected x,y,z"):
        roadplane.open_dataset(street, sensor_origin="1,2")


def test_a_topic_is_of_a_recording(street, tmp_path):
    command = [PROGRAM, "segment", street, "--save", "mcap", "--out", tmp_path / "run", "--quiet"]
    subprocess.run(command, check=True)
    recording = tmp_path / "run/mcap/00.mcap"
    frames = roadplane.open_dataset(recording, topic="/roadplane/points")
    made = roadplane.open_dataset(street)
    assert all(np.array_equal(a.points, b.points) for a, b in zip(frames, made)) and len(frames) == 2
    for path, topic in ((recording, "/no"), (recording, "/roadplane/plane"), (street, "/points")):
        with pytest.raises(roadplane.InputError, match="topic"):
            roadplane.open_dataset(path, topic=topic)
