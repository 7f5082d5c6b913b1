"""Make a version's folder a package: golden pictures, ``model.toml`` with what was measured, and the table in README.md.

    python firmware_models/conveyor_inspector/package.py --version 1.1.0

Figures come from ``metrics.json`` alone (evaluate.py); nothing is typed in by hand.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_contract.package.manifest import Manifest, read_manifest
from firmware_models.conveyor_inspector.evaluate import MIN_SCORE
from firmware_models.conveyor_inspector.export import HERE, ONNX_FILE, TFLITE_FILE, write_atomically
from firmware_models.conveyor_inspector.frames import FULL_VIEW, GOLDEN_SEED, Frames, render
from firmware_models.conveyor_inspector.metrics import NMS_IOU, Found, decode, overlap
from firmware_models.conveyor_inspector.network import INPUT_HEIGHT, INPUT_WIDTH, LABELS
from firmware_models.conveyor_inspector.runners import onnx_runner

GOLDEN_COUNT = 3
DOUBTFUL = (0.4, 0.6)  # scores that another runtime's rounding could carry over the threshold
FLOAT, INT8 = "fp32 (ONNX Runtime)", ("int8 ONNX (ONNX Runtime)", "int8 ONNX (OpenVINO)", "int8 TFLite (LiteRT)")
START, END = "<!-- measured: begin -->", "<!-- measured: end -->"

TRAINED_ON = {
    "1.0.0": "480 frames of one kind of line (slatted belt, two metals) in steady light",
    "1.1.0": "frames of every belt and metal in light from dim to glaring, tinted, noisy and flickering",
}

MANIFEST = """\
# Written by package.py from metrics.json; change the scripts, not this file.
name = "conveyor_inspector"
version = "{version}"
task = "detection"
title = "Conveyor inspector"
description = "Finds metal parts under a conveyor camera and says which are scratched or lack a hole."
licence = "Apache-2.0"
labels = {labels}

[head]
family = "fcos"
outputs = {{ scores = "scores", boxes = "boxes" }}
params = {{ iou = {iou} }}

[[inputs]]
name = "image"
kind = "image"
shape = [1, {height}, {width}, 3]
dtype = "uint8"
layout = "nhwc"
color = "rgb"
fit = "stretch"
resize = "linear"

[[variants]]
name = "int8-onnx"
format = "onnx"
files = ["{onnx}"]
runtimes = ["onnx_runtime", "open_vino"]
precision = "int8"

[[variants]]
name = "int8-tflite"
format = "tflite"
files = ["{tflite}"]
runtimes = ["lite_rt"]
precision = "int8"

{golden}
[budgets]
latency_ms = 200.0
memory_bytes = 268435456

[card]
trained_on = "{trained_on}"
intended_use = "One fixed camera above a singulated line, parts 50 to 65 of 256 input pixels wide, 4:3 pictures."
limits = "Trained on rendered scenes only. Speaks of a part once it is wholly in view; scratches thinner than a pixel are lost."
min_score = {min_score}
parameters = {parameters}
multiply_accumulates = {multiply_accumulates}

{measured}
[provenance]
script = "firmware_models/conveyor_inspector/train.py --version {version}"
data = "fleet_server/edgefleet_server/simulate/conveyor/scene.py"
"""


def _clear_cut(truth: npt.NDArray[np.float32], found: Found, scores: npt.NDArray[np.float32]) -> bool:
    """Every whole part found as what it is with a confident score, and nothing else near the threshold."""
    whole = truth[truth[:, 5] >= FULL_VIEW]
    doubtful = ((scores > DOUBTFUL[0]) & (scores < DOUBTFUL[1])).any()
    if doubtful or len(whole) < 2 or len(found.scores) != len(whole):
        return False
    fit = overlap(found.boxes, whole) * (found.classes[:, None] == whole[None, :, 4])
    return bool((fit.max(axis=0) > 0.8).all())


def write_golden(folder: Path, frames: Frames) -> list[str]:
    """Choose ``GOLDEN_COUNT`` clear-cut frames that show every label; write picture and expectation; returns their stems.

    Raises:
        ValueError: this version does not see enough of them clearly.
    """
    run = onnx_runner((folder / ONNX_FILE).read_bytes())
    (folder / "golden").mkdir(exist_ok=True)
    stems: list[str] = []
    missing = set(range(len(LABELS)))
    for image, truth in zip(frames.images, frames.truths, strict=True):
        scores, boxes = run(image)
        found = decode(scores, boxes, MIN_SCORE)
        if len(stems) == GOLDEN_COUNT or not _clear_cut(truth, found, scores):
            continue
        if missing and not missing & set(found.classes.tolist()):
            continue
        missing -= set(found.classes.tolist())
        stems.append(f"golden/{len(stems) + 1}")
        expected = [
            {
                "label": LABELS[number],
                "class_id": int(number),
                "score": round(float(score), 4),
                "box": [round(float(side), 2) for side in box],
            }
            for box, score, number in zip(found.boxes, found.scores, found.classes, strict=True)
        ]
        picture = cv2.imencode(".png", image[:, :, ::-1])[1].tobytes()
        write_atomically(folder / f"{stems[-1]}.png", picture)
        write_atomically(folder / f"{stems[-1]}.json", (json.dumps(expected, indent=1) + "\n").encode())
    if len(stems) < GOLDEN_COUNT or missing:
        raise ValueError(f"{folder.name}: only {len(stems)} clear-cut frames, labels {missing} unseen; train longer")
    return stems


def _measured_toml(metrics: dict[str, Any]) -> str:
    lines = []
    for name, rows in metrics["measured"].items():
        lines += [f"[card.measured.{name}]", f"frames = {metrics['frames'][name]}", f"map50_fp32 = {rows[FLOAT]['map50']}"]
        for key, runner in zip(("onnx_runtime", "open_vino", "lite_rt"), INT8, strict=True):
            lines += [f"map50_{key} = {rows[runner]['map50']}", f"cosine_{key} = {rows[runner]['cosine_scores']}"]
        for label, entry in rows[INT8[2]]["labels"].items():
            lines.append(
                f"{label} = {{ precision = {entry['precision']}, recall = {entry['recall']}, parts = {entry['parts']} }}"
            )
        lines.append("")
    return "\n".join(lines)


def manifest_text(version: str, metrics: dict[str, Any], stems: list[str]) -> str:
    """``model.toml`` of a version."""
    golden = "".join(f'[[golden]]\ninput = "{stem}.png"\nexpect = "{stem}.json"\n\n' for stem in stems)
    return MANIFEST.format(
        version=version,
        labels=json.dumps(LABELS),
        iou=NMS_IOU,
        height=INPUT_HEIGHT,
        width=INPUT_WIDTH,
        onnx=ONNX_FILE,
        tflite=TFLITE_FILE,
        golden=golden.rstrip("\n") + "\n",
        trained_on=TRAINED_ON[version],
        measured=_measured_toml(metrics),
        min_score=metrics["min_score"],
        parameters=metrics["parameters"],
        multiply_accumulates=metrics["multiply_accumulates"],
    )


def readme_table(versions: dict[str, dict[str, Any]]) -> str:
    """Markdown: one row for each version, set of frames and format, then precision and recall by label."""
    lines = [
        "| version | frames | format (runtime) | mAP50 | cosine of scores to fp32 |",
        "| --- | --- | --- | --- | --- |",
    ]
    for version, metrics in sorted(versions.items()):
        for name, rows in metrics["measured"].items():
            for runner, row in rows.items():
                count = metrics["frames"][name]
                lines.append(f"| {version} | {name} ({count}) | {runner} | {row['map50']:.3f} | {row['cosine_scores']:.5f} |")
    lines += ["", f"At the recommended threshold {MIN_SCORE}, int8 TFLite:", ""]
    lines += ["| version | frames | label | precision | recall | parts |", "| --- | --- | --- | --- | --- | --- |"]
    for version, metrics in sorted(versions.items()):
        for name, rows in metrics["measured"].items():
            for label, entry in rows[INT8[2]]["labels"].items():
                figures = f"{entry['precision']:.3f} | {entry['recall']:.3f} | {entry['parts']}"
                lines.append(f"| {version} | {name} | `{label}` | {figures} |")
    return "\n".join(lines)


def check(folder: Path) -> Manifest:
    """Read the package as a device would; every file it names must be there.

    Raises:
        ManifestError: the manifest is not valid. FileNotFoundError: a file is missing.
    """
    manifest = read_manifest((folder / "model.toml").read_text(encoding="utf-8"), f"{folder.name}/model.toml")
    for path in manifest.paths():
        if not (folder / path).is_file():
            raise FileNotFoundError(f"{folder / path} is named in model.toml and missing; run export.py and package.py")
    return manifest


def main() -> None:
    """Package one version and refresh the table of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", choices=sorted(TRAINED_ON), required=True)
    version = parser.parse_args().version
    folder = HERE / version
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    stems = write_golden(folder, render(GOLDEN_SEED, 40, 8, variety=0.1, narrow=True))
    write_atomically(folder / "model.toml", manifest_text(version, metrics, stems).encode())
    print(f"{check(folder).id}: {sum(path.stat().st_size for path in folder.rglob('*') if path.is_file())} bytes in its folder")
    readme = HERE / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    versions = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in HERE.glob("*/metrics.json")}
    write_atomically(readme, f"{before}{START}\n{readme_table(versions)}\n{END}{after}".encode())


if __name__ == "__main__":
    main()
