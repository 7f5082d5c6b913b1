"""Write a version's int8 files from its weights: calibrate once, quantize once, emit ONNX and TensorFlow Lite.

    python firmware_models/conveyor_inspector/export.py --version 1.1.0

Needs onnx, onnxruntime and ai-edge-litert; no PyTorch.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

from firmware_models.conveyor_inspector import onnx_writer, tflite_writer
from firmware_models.conveyor_inspector.frames import Frames, calibration_frames
from firmware_models.conveyor_inspector.network import LAYERS, Weights, load_weights
from firmware_models.conveyor_inspector.quantize import quantize
from firmware_models.conveyor_inspector.runners import onnx_session

HERE = Path(__file__).resolve().parent
ONNX_FILE, TFLITE_FILE = "model.int8.onnx", "model.int8.tflite"


def calibrate(weights: Weights, frames: Frames) -> dict[str, tuple[float, float]]:
    """The lowest and highest value of every layer's output over ``frames``."""
    names = [layer.name for layer in LAYERS]
    session = onnx_session(onnx_writer.float_model(weights, expose=True))
    low, high = np.full(len(names), np.inf), np.full(len(names), -np.inf)
    for image in frames.images:
        outputs = session.run(names, {"image": image[None]})
        low = np.minimum(low, [output.min() for output in outputs])
        high = np.maximum(high, [output.max() for output in outputs])
    return {name: (float(low[index]), float(high[index])) for index, name in enumerate(names)}


def write_atomically(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data`` at once."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def main() -> None:
    """Export one version."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    folder = HERE / parser.parse_args().version
    weights = load_weights(str(folder / "weights.npz"))
    network = quantize(weights, calibrate(weights, calibration_frames()))
    for name, data in ((ONNX_FILE, onnx_writer.quantized_model(network)), (TFLITE_FILE, tflite_writer.quantized_model(network))):
        write_atomically(folder / name, data)
        print(f"{folder / name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
