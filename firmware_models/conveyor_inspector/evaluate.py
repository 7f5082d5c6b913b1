"""Measure a version on held-out frames, in every format and runtime, and write ``VERSION/metrics.json``.

    python firmware_models/conveyor_inspector/evaluate.py --version 1.1.0

Two sets of frames that no training saw: *cell* (light strays little) and *factory* (dark, bright, tinted, noisy, glaring).
Needs onnx, onnxruntime, ai-edge-litert and openvino.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from firmware_models.conveyor_inspector import metrics, onnx_writer
from firmware_models.conveyor_inspector.export import HERE, ONNX_FILE, TFLITE_FILE, write_atomically
from firmware_models.conveyor_inspector.frames import Frames, cell_frames, factory_frames
from firmware_models.conveyor_inspector.network import LAYERS, load_weights, multiply_accumulates
from firmware_models.conveyor_inspector.runners import Runner, onnx_runner, openvino_runner, tflite_runner

MIN_SCORE = 0.5  # recommended; the default of the agent's pipelines
CURVE_SCORE = 0.02  # detections below this do not enter the precision-recall curve


def runners_of(folder: Path) -> dict[str, Runner]:
    """Every way to run a version: the float yardstick first."""
    return {
        "fp32 (ONNX Runtime)": onnx_runner(onnx_writer.float_model(load_weights(str(folder / "weights.npz")))),
        "int8 ONNX (ONNX Runtime)": onnx_runner((folder / ONNX_FILE).read_bytes()),
        "int8 ONNX (OpenVINO)": openvino_runner(folder / ONNX_FILE),
        "int8 TFLite (LiteRT)": tflite_runner(folder / TFLITE_FILE),
    }


def cosine(first: npt.NDArray[np.float32], second: npt.NDArray[np.float32]) -> float:
    """Cosine of the angle between two sets of outputs: 1 where quantization changed nothing."""
    a, b = first.ravel().astype(np.float64), second.ravel().astype(np.float64)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def measure(runners: dict[str, Runner], frames: Frames) -> dict[str, Any]:
    """Accuracy of every runner on ``frames``, and how close its raw outputs are to the first runner's."""
    result, yardstick = {}, None
    for name, run in runners.items():
        outputs = [run(image) for image in frames.images]
        raw = tuple(np.concatenate(grids) for grids in zip(*outputs, strict=True))
        yardstick = yardstick or raw
        found = [metrics.decode(scores, boxes, CURVE_SCORE) for scores, boxes in outputs]
        labels = metrics.accuracy(found, frames.truths, MIN_SCORE)
        result[name] = {
            "map50": round(metrics.mean_ap(labels), 4),
            "cosine_scores": round(cosine(raw[0], yardstick[0]), 5),
            "cosine_boxes": round(cosine(raw[1], yardstick[1]), 5),
            "labels": {label: {key: round(value, 4) for key, value in asdict(entry).items()} for label, entry in labels.items()},
        }
    return result


def main() -> None:
    """Measure one version."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    version = parser.parse_args().version
    folder, sets = HERE / version, {"cell": cell_frames(), "factory": factory_frames()}
    runners = runners_of(folder)
    document = {
        "version": version,
        "min_score": MIN_SCORE,
        "match_iou": metrics.MATCH_IOU,
        "parameters": sum(int(np.prod(layer.weight_shape)) + layer.channels_out for layer in LAYERS),
        "multiply_accumulates": multiply_accumulates(),
        "frames": {name: len(frames) for name, frames in sets.items()},
        "measured": {name: measure(runners, frames) for name, frames in sets.items()},
    }
    path = folder / "metrics.json"
    write_atomically(path, (json.dumps(document, indent=1) + "\n").encode())
    for name, rows in document["measured"].items():
        for runner, row in rows.items():
            print(f"{name:8} {runner:26} mAP50 {row['map50']:.4f}  cosine {row['cosine_scores']:.5f} {row['cosine_boxes']:.5f}")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
