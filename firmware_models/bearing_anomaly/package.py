"""Make the version's folder a package: golden pictures, `model.toml` with what was measured, and the table in README.md.

    python firmware_models/bearing_anomaly/package.py

Figures come from `metrics.json` alone (evaluate.py); nothing is typed in by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2

from edgefleet_contract.package.manifest import read_manifest
from firmware_models.bearing_anomaly.evaluate import MIN_SCORE, onnx_runner
from firmware_models.bearing_anomaly.export import HERE, ONNX_FILE, TFLITE_FILE, VERSION, write_atomically
from firmware_models.bearing_anomaly.network import multiply_accumulates
from firmware_models.bearing_anomaly.simulate import LABELS, RATE_HZ, SHAFT_HZ
from firmware_models.bearing_anomaly.windows import GOLDEN_SEED, HEIGHT, POINTS, WIDTH, render

START, END = "<!-- measured: begin -->", "<!-- measured: end -->"
INT8 = "int8 TFLite (LiteRT)"
SURE = 0.9

MANIFEST = """\
# Written by package.py from metrics.json; change the scripts, not this file.
name = "bearing_anomaly"
version = "{version}"
task = "classification"
title = "Bearing anomaly"
description = "Hears in the vibration of a rolling bearing whether it is healthy, and which part is damaged."
licence = "Apache-2.0"
labels = {labels}

[head]
family = "classification"
outputs = {{ scores = "scores" }}

[[inputs]]
name = "image"
kind = "image"
shape = [1, {height}, {width}, 1]
dtype = "uint8"
layout = "nhwc"
color = "gray"
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
latency_ms = 50.0
memory_bytes = 134217728

[card]
trained_on = "simulated bearings of nine balls (BPFO 3.585, BPFI 5.415, BSF 2.357) at {shaft} Hz +- 2 %, {rate} readings a second"
intended_use = "One accelerometer on the housing; windows of {points} readings as spectrograms (fft = 64, hop = 16)."
limits = "Trained on a simulation only; other speeds and bearings need training of their own. Not tried on a real machine."
min_score = {min_score}
multiply_accumulates = {multiply_accumulates}
measured = {measured}

[provenance]
script = "firmware_models/bearing_anomaly/train.py"
data = "firmware_models/bearing_anomaly/simulate.py"
"""


def write_golden(folder: Path) -> list[str]:
    """One clear picture of each label; their stems.

    Raises:
        ValueError: the model is sure of none.
    """
    run = onnx_runner((folder / ONNX_FILE).read_bytes())
    windows = render(GOLDEN_SEED, 8, 1)
    (folder / "golden").mkdir(exist_ok=True)
    for index, label in enumerate(LABELS):
        for picture, truth in zip(windows.pictures, windows.classes, strict=True):
            scores = run(picture)
            if truth == index and int(scores.argmax()) == index and float(scores[index]) >= SURE:
                break
        else:
            raise ValueError(f"no clear picture of {label}; train longer")
        good, data = cv2.imencode(".png", picture)
        assert good
        expected = [{"label": label, "class_id": index, "score": round(float(scores[index]), 4)}]
        write_atomically(folder / f"golden/{label}.png", data.tobytes())
        write_atomically(folder / f"golden/{label}.json", json.dumps(expected).encode() + b"\n")
    return list(LABELS)


def table(measured: dict[str, dict[str, Any]]) -> str:
    """For README.md."""
    bands = list(measured[INT8]["alarms"])
    head = [
        "format (runtime)",
        "accuracy",
        *(f"recall `{label}`" for label in LABELS),
        "false alarms",
        *(f"alarms at {b}" for b in bands),
    ]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    for name, row in measured.items():
        values = [row["accuracy"], *(row[f"recall_{label}"] for label in LABELS), row["false_alarms"], *row["alarms"].values()]
        lines.append(f"| {name} | {' | '.join(f'{100 * value:.1f} %' for value in values)} |")
    return "\n".join(lines)


def main() -> None:
    """Write the package."""
    folder = HERE / VERSION
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    rows = metrics["measured"]
    golden = "".join(
        f'[[golden]]\ninput = "golden/{stem}.png"\nexpect = "golden/{stem}.json"\nscore_tolerance = 0.08\n\n'
        for stem in write_golden(folder)
    )
    row = rows[INT8]
    measured = f"{{ windows = {metrics['windows']}, accuracy = {row['accuracy']}, false_alarms = {row['false_alarms']} }}"
    text = MANIFEST.format(
        version=VERSION, labels=json.dumps(list(LABELS)), height=HEIGHT, width=WIDTH, onnx=ONNX_FILE, tflite=TFLITE_FILE,
        golden=golden, shaft=SHAFT_HZ, rate=RATE_HZ, points=POINTS, min_score=MIN_SCORE,
        multiply_accumulates=multiply_accumulates(), measured=measured,
    )  # fmt: skip
    read_manifest(text, "model.toml")
    write_atomically(folder / "model.toml", text.encode())
    readme = HERE / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    write_atomically(readme, f"{before}{START}\n{table(rows)}\n{END}{after}".encode())
    print(f"{folder}: packaged")


if __name__ == "__main__":
    main()
