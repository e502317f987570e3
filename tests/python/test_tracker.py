import numpy as np
import pytest
from conftest import same
from test_program import OF_A_RUN, run_program

import roadplane


def test_the_first_scan_is_that_of_segment_and_the_next_ones_are_tracked(points):
    tracker = roadplane.Tracker()
    first, second = tracker(points), tracker(points)
    alone = roadplane.segment(points)
    assert np.array_equal(first.labels, alone.labels)
    assert first.record["began"] == "found" and second.record["began"] == "tracked"
    assert "began" not in alone.record
    assert second.record["messages_per_link"] < alone.record["messages_per_link"]
    assert abs(second.plane.height_m - alone.plane.height_m) < 1e-3
    tracker.forget()
    assert same(tracker(points), first)


def test_motion_says_where_the_plane_is(points):
    lower = points.copy()
    lower[:, 2] += np.float32(0.4)
    motion = np.eye(4)
    motion[2, 3] = 0.4
    tracker = roadplane.Tracker()
    tracker(points)
    moved = tracker(lower, motion)
    assert moved.record["began"] == "tracked" and moved.status == "ok"
    tracker.forget()
    tracker(points)
    assert "jump" in "; ".join(tracker(lower).notes)


@pytest.mark.parametrize("motion", [1, [[1]], np.eye(3), np.eye(4, dtype=int), np.zeros((3, 4)),
                                    np.full((4, 4), np.nan), 2 * np.eye(4)])
def test_a_bad_motion_is_refused(points, motion):
    with pytest.raises(roadplane.InputError, match="motion: expected a"):
        roadplane.Tracker()(points, motion)


def test_the_papers_objective_cannot_be_tracked(points):
    with pytest.raises(roadplane.InputError, match="track: expected objective robust"):
        roadplane.Tracker(objective="l3")


def test_results_are_those_of_the_program(street, tmp_path):
    tracker = roadplane.Tracker()
    records = run_program(street, tmp_path / "run", "--track", "--truth", "none")
    frames = roadplane.open_dataset(street)
    assert len(frames) == len(records) == 2
    for frame in frames:
        ours = {k: v for k, v in tracker(frame.points).record.items() if k not in OF_A_RUN}
        theirs = {k: v for k, v in records[frame.name].items() if k not in OF_A_RUN}
        assert ours == theirs, frame
