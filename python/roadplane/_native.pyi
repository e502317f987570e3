from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

version: str

class Frame:
    sequence: str
    number: int
    path: Path
    name: str
    contents: str
    def points(self) -> npt.NDArray[np.float32]: ...
    def image(self) -> npt.NDArray[np.uint8] | None: ...
    def calibration(self) -> npt.NDArray[np.float64] | None: ...
    def labels(self) -> npt.NDArray[np.uint32] | None: ...
    def annotation(self) -> npt.NDArray[np.bool_] | None: ...

class Dataset:
    layout: str
    name: str
    remarks: list[str]
    frames: list[Frame]

def segment(
    points: npt.NDArray[np.float32], options: dict[str, Any]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float32], dict[str, Any]]: ...
class Tracker:
    def __init__(self, options: dict[str, Any]) -> None: ...
    def segment(
        self, points: npt.NDArray[np.float32], motion: npt.NDArray[np.float64] | None
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float32], dict[str, Any]]: ...
    def forget(self) -> None: ...

def score(
    labels: npt.NDArray[Any],
    truth: npt.NDArray[Any],
    points: npt.NDArray[np.float32] | None,
    target: str,
    scoring: str,
) -> tuple[dict[str, Any], int, dict[str, dict[str, Any]] | None]: ...
def open_dataset(paths: list[str], options: dict[str, Any]) -> Dataset: ...
def option_names() -> list[str]: ...
