import os
import pathlib
import subprocess

import numpy as np
import pytest

import roadplane

PROGRAM = os.environ["ROADPLANE_PROGRAM"]


@pytest.fixture(scope="session")
def street(tmp_path_factory):
    """Two frames of a synthetic street with picture, calibration, labels."""
    folder = tmp_path_factory.mktemp("street") / "made"
    subprocess.run([PROGRAM, "synth", folder, "--frames", "2"], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def points(street):
    return roadplane.open_dataset(street)[0].points


@pytest.fixture(scope="session")
def data():
    """The folder of real recordings."""
    if "ROADPLANE_DATA" not in os.environ:
        pytest.skip("ROADPLANE_DATA is not set")
    return pathlib.Path(os.environ["ROADPLANE_DATA"])


def same(a, b):
    """Whether two segmentations are the same, bit for bit."""
    unlike_times = lambda record: {k: v for k, v in record.items() if k != "ms"}
    return (
        np.array_equal(a.labels, b.labels)
        and np.array_equal(a.distances.view(np.uint32), b.distances.view(np.uint32))
        and unlike_times(a.record) == unlike_times(b.record)
    )
