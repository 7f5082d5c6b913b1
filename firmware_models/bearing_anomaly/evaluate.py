"""Measure every format on machines that training never saw, and write `metrics.json`.

python firmware_models/bearing_anomaly/evaluate.py
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from ai_edge_litert.interpreter import Interpreter

from firmware_models.bearing_anomaly.export import HERE, ONNX_FILE, TFLITE_FILE, VERSION, float_model, write_atomically
from firmware_models.bearing_anomaly.network import load_weights
from firmware_models.bearing_anomaly.simulate import LABELS
from firmware_models.bearing_anomaly.windows import TEST_SEED, Windows, render
from firmware_models.conveyor_inspector.runners import onnx_session

Runner = Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]]
"""A picture (HEIGHT, WIDTH) to the scores of `LABELS`."""
MIN_SCORE = 0.6
MACHINES = 400
BANDS = ((2.0, 4.0), (4.0, 8.0), (8.0, 12.0))
"""Severities: blows so many standard deviations of the noise high."""


def onnx_runner(model: bytes) -> Runner:
    """ONNX Runtime."""
    session = onnx_session(model)
    return lambda picture: np.asarray(session.run(["scores"], {"image": picture[None, :, :, None]})[0][0], np.float32)


def openvino_runner(path: Path) -> Runner:
    """OpenVINO, if it is installed."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # None is how Python spells "not there"
    openvino = importlib.import_module("openvino")
    compiled = openvino.Core().compile_model(path, "CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})
    return lambda picture: np.array(compiled({"image": picture[None, :, :, None]})["scores"][0])


def tflite_runner(path: Path) -> Runner:
    """LiteRT."""
    interpreter = Interpreter(model_path=str(path), num_threads=1)
    interpreter.allocate_tensors()
    source, target = interpreter.get_input_details()[0]["index"], interpreter.get_output_details()[0]
    scale, zero_point = target["quantization"]

    def run(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        interpreter.set_tensor(source, picture[None, :, :, None])
        interpreter.invoke()
        stored = interpreter.get_tensor(target["index"])[0]
        return np.asarray((stored.astype(np.float32) - zero_point) * np.float32(scale), np.float32)

    return run


def measure(run: Runner, windows: Windows) -> dict[str, Any]:
    """Figures of the model card. An alarm is a damage scoring `MIN_SCORE`."""
    scores = np.stack([run(picture) for picture in windows.pictures])
    best, sure = scores.argmax(axis=1), scores.max(axis=1)
    alarm = (best != 0) & (sure >= MIN_SCORE)
    healthy = windows.classes == 0
    row: dict[str, Any] = {
        "accuracy": _share(best == windows.classes),
        "false_alarms": _share(alarm[healthy]),
        "alarms": {f"{low:g}-{high:g}": _share(alarm[_band(windows, low, high)]) for low, high in BANDS},
    }
    for index, label in enumerate(LABELS):
        row[f"recall_{label}"] = _share(best[windows.classes == index] == index)
    return row


def _band(windows: Windows, low: float, high: float) -> npt.NDArray[np.bool_]:
    return np.asarray((windows.severities >= low) & (windows.severities < high))


def _share(right: npt.NDArray[np.bool_]) -> float:
    return round(float(right.mean()), 4)


def main() -> None:
    """Measure and write."""
    folder = HERE / VERSION
    windows = render(TEST_SEED, MACHINES, 1)
    runners = {
        "fp32 (ONNX Runtime)": onnx_runner(float_model(load_weights(str(folder / "weights.npz")))),
        "int8 ONNX (ONNX Runtime)": onnx_runner((folder / ONNX_FILE).read_bytes()),
        "int8 ONNX (OpenVINO)": openvino_runner(folder / ONNX_FILE),
        "int8 TFLite (LiteRT)": tflite_runner(folder / TFLITE_FILE),
    }
    measured = {name: measure(run, windows) for name, run in runners.items()}
    text = json.dumps({"version": VERSION, "windows": len(windows), "min_score": MIN_SCORE, "measured": measured}, indent=1)
    write_atomically(folder / "metrics.json", text.encode() + b"\n")
    print(text)


if __name__ == "__main__":
    main()
