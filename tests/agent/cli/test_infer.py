"""`edgefleet-agent infer` by its command line."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import cv2
import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_contract.encoding.codec import from_plain
from tests.expected import CASES, check, expected_cases
from tests.packages import MakePackage


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["infer", *arguments, "--json"]) == 0
    parsed: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return parsed


@pytest.mark.parametrize("title", sorted(CASES))
def test_expected_results_in_the_shape_of_the_contract(
    data: Path, package: MakePackage, capsys: pytest.CaptureFixture[str], title: str
) -> None:
    name, variant, folder, min_score, iou_min, score_tolerance = CASES[title]
    cases = expected_cases(data, folder)
    images = [str(data / "media/images" / case["image"]) for case in cases]
    answered = rows(capsys, "--package", str(package(name)), "--variant", variant, "--min-score", str(min_score), *images)
    kind = "classes" if "top3" in cases[0] else "detections"
    for row, case, image in zip(answered, cases, images, strict=True):
        assert list(row) == ["image", kind, "model", "runtime", "device", "fell_back", "fallback_reason", "latency_ms"]
        assert (row["image"], row["model"], row["device"]) == (image, f"{name}@1.0.0", "cpu")
        assert list(row["latency_ms"]) == ["pre", "invoke", "post"]
        assert all(list(each)[:3] == ["label", "class_id", "score"] for each in row[kind])
        check(case, [from_plain(each, ModelOutput) for each in row[kind]], iou_min, score_tolerance)


def test_a_bare_file_and_top(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data / "models/tflite/mobilenet_v2_1.0_224_quant"
    arguments = ["--model", str(folder / "mobilenet_v2_1.0_224_quant.tflite"), "--head", "classification", "--top", "2"]
    arguments += ["--labels", str(folder / "imagenet_labels.txt"), str(data / "media/images/parrot.jpg")]
    (row,) = rows(capsys, *arguments)
    assert row["classes"][0]["label"] == "macaw"
    assert len(row["classes"]) == 2


@pytest.mark.parametrize(
    ("kind", "folder", "file", "head", "image", "fields"),
    [
        (
            *("segments", "tflite/deeplabv3_mnv2_dm05_pascal_quant", "deeplabv3_mnv2_dm05_pascal_quant.tflite"),
            *("segmentation", "bird_segmentation.bmp", ["label", "class_id", "score", "mask"]),
        ),
        (
            *("poses", "tflite/movenet_single_pose_lightning_ptq", "movenet_single_pose_lightning_ptq.tflite"),
            *("movenet", "squat.bmp", ["label", "class_id", "score", "box", "keypoints"]),
        ),
        (
            *("embeddings", "onnx/osnet_x0_25_msmt17", "osnet_x0_25_msmt17.onnx"),
            *("embedding", "squat.bmp", ["label", "class_id", "score", "vector"]),
        ),
    ],
)
def test_other_answers_than_boxes(
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    folder: str,
    file: str,
    head: str,
    image: str,
    fields: list[str],
) -> None:
    picture = data / "media/images" / image
    model = ["--model", str(data / "models" / folder / file), "--head", head]
    (row,) = rows(capsys, *model, str(picture), "--draw", str(tmp_path))
    masks = ["mask"] if kind == "segments" else []
    assert list(row) == ["image", kind, *masks, "model", "runtime", "device", "fell_back", "fallback_reason", "latency_ms"]
    assert list(row[kind][0]) == fields
    if kind == "poses":
        assert list(row[kind][0]["keypoints"][0]) == ["name", "x", "y", "score"]
    if kind == "segments":
        rows_, columns = row["mask"]["size"]
        assert sum(row["mask"]["runs"][1::2]) == rows_ * columns
    drawn, plain = cv2.imread(str(tmp_path / f"{picture.stem}.png")), cv2.imread(str(picture))
    assert (drawn != plain).any()
    assert main(["infer", *model, str(picture)]) == 0
    assert row[kind][0]["label"] in capsys.readouterr().out


def test_parameters_of_a_head(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = data / "models/onnx/ultraface_rfb_320/version-RFB-320_without_postprocessing.onnx"
    arguments = ["--model", str(raw), "--head", "ultraface", "--param", "decoded=false", "--min-score", "0.7"]
    (row,) = rows(capsys, *arguments, str(data / "media/images/grace_hopper.bmp"))
    assert [each["class_id"] for each in row["detections"]] == [1]


def test_drawn_pictures_have_the_size_of_the_picture(
    data: Path, package: MakePackage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images = [data / "media/images/people_detection.png", tmp_path / "people_detection.png"]
    shutil.copyfile(*images)
    rows(capsys, "--package", str(package("ssd_mobilenet_v1")), *map(str, images), "--draw", str(tmp_path / "out"))
    drawn = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in drawn] == ["0001-people_detection.png", "0002-people_detection.png"]
    before, after = cv2.imread(str(images[0])), cv2.imread(str(drawn[0]))
    assert before.shape == after.shape
    assert (before != after).any()


def test_for_people(data: Path, package: MakePackage, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", "--package", str(package("ssd_mobilenet_v1")), str(data / "media/images/people_detection.png")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("ms")
    assert [line.split()[0] for line in lines[1:3]] == ["person", "person"]
    assert lines[-1].startswith("ssd_mobilenet_v1@1.0.0 on lite_rt ")


def test_one_bad_picture_does_not_hide_the_others(
    data: Path, package: MakePackage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.png").write_bytes(b"no picture")
    good = str(data / "media/images/people_detection.png")
    arguments = ["infer", "--package", str(package("ssd_mobilenet_v1")), "--json", str(tmp_path / "bad.png"), good]
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert [row["image"] for row in json.loads(captured.out)] == [good]
    assert len(captured.err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [["--threads", "-1"], ["--min-score", "nan"], ["--min-score", "2"], ["--top", "five"], ["--top", "0"]]
)
def test_numbers_out_of_range_are_refused_before_anything_is_loaded(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["infer", "--package", "none", *arguments, "a.png"])
    assert ended.value.code == 2
    assert "is not a" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["--model", "DATA/models/onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx"], 2, "not a detector"),
        (["--model", "DATA/models/onnx/yolox_nano/yolox_nano.onnx", "--head", "yolo99"], 2, "unknown head 'yolo99'"),
        (["--model", "TMP/none.onnx", "--head", "yolox"], 2, "none.onnx: no such file"),
        (["--model", "TMP/cut.onnx", "--head", "yolox"], 2, "cut.onnx: ONNX Runtime cannot load it"),
        (["--model", "TMP/cut.onnx", "--head", "yolox", "--backend", "abacus"], 2, "unknown backend 'abacus'"),
        (["--package", "TMP/none"], 2, "specify a folder with model.toml"),
        (["--package", "TMP/none", "--head", "ssd"], 2, "a package has its own labels and head; leave --labels"),
        (["--package", "TMP/none", "--param", "softmax=true"], 2, "a package has its own labels and head; leave --labels"),
    ],
)
def test_faults_are_one_line_and_a_code(
    data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], code: int, problem: str
) -> None:
    whole = data / "models/onnx/yolox_nano/yolox_nano.onnx"
    (tmp_path / "cut.onnx").write_bytes(whole.read_bytes()[:100_000])
    real = [each.replace("DATA", str(data)).replace("TMP", str(tmp_path)) for each in arguments]
    assert main(["infer", *real, str(data / "media/images/cat.bmp")]) == code
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("edgefleet-agent: ")
    assert problem in captured.err
    assert captured.err.count("\n") == 1


def test_a_file_name_that_is_not_utf8(
    data: Path, package: MakePackage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xf6c.png"))
    picture.write_bytes((data / "media/images/people_detection.png").read_bytes())
    folder = str(package("ssd_mobilenet_v1"))
    assert main(["infer", "--package", folder, str(picture), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["image"] == f"{tmp_path}/p\\xf6c.png"
    assert main(["infer", "--package", folder, str(picture)]) == 0
    assert "c.png" in capsys.readouterr().out
