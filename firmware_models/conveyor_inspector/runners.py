"""A model file as a function: image in, real-valued grids out, whatever the format."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

# ONNX Runtime reads this once, at import: measuring a model must not write to the home folder or the network.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime
from ai_edge_litert.interpreter import Interpreter

Grids = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
Runner = Callable[[npt.NDArray[np.uint8]], Grids]
"""uint8 (192, 256, 3) RGB -> scores (1, gh, gw, C) and boxes (1, gh, gw, 4), float32."""


def onnx_session(model: bytes) -> onnxruntime.InferenceSession:
    """A one-thread CPU session."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def onnx_runner(model: bytes) -> Runner:
    """Run an ONNX file's bytes with ONNX Runtime."""
    session = onnx_session(model)

    def run(image: npt.NDArray[np.uint8]) -> Grids:
        scores, boxes = session.run(["scores", "boxes"], {"image": image[None]})
        return scores, boxes

    return run


def openvino_runner(path: Path) -> Runner:
    """Run an ONNX file with OpenVINO, if it is installed.

    Raises:
        ImportError: it is not.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # None is how Python spells "not there"
    openvino = importlib.import_module("openvino")
    compiled = openvino.Core().compile_model(path, "CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})

    def run(image: npt.NDArray[np.uint8]) -> Grids:
        answer = compiled({"image": image[None]})
        return answer["scores"].copy(), answer["boxes"].copy()

    return run


def tflite_runner(path: Path) -> Runner:
    """Run a full-integer .tflite with LiteRT; outputs are brought back to real values."""
    interpreter = Interpreter(model_path=str(path), num_threads=1)
    interpreter.allocate_tensors()
    source = interpreter.get_input_details()[0]["index"]
    outputs = {detail["name"]: detail for detail in interpreter.get_output_details()}

    def real(name: str) -> npt.NDArray[np.float32]:
        scale, zero_point = outputs[name]["quantization"]
        stored = interpreter.get_tensor(outputs[name]["index"])
        return np.asarray((stored.astype(np.float32) - zero_point) * np.float32(scale), np.float32)

    def run(image: npt.NDArray[np.uint8]) -> Grids:
        interpreter.set_tensor(source, image[None])
        interpreter.invoke()
        return real("scores"), real("boxes")

    return run
