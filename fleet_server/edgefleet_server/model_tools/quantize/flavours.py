"""Flavours of int8 files, and the purpose of each. One calibration serves them all; which is best depends on the processor: on
x86 unsigned activations are twice as fast as signed ones, on ARM it is the other way round, and TensorRT takes symmetric
scales only, with which CPUs are slower than in float."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Flavour:
    """A flavour. source: the format of the float file it is made from. measured_on: the runtime whose outputs are compared; ""
    if only the accelerator itself can run it. suffix: of its file."""

    name: str
    source: Literal["onnx", "tflite", "openvino_ir"]
    runtimes: tuple[str, ...]
    measured_on: str
    suffix: str
    profiles: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    purpose: str = ""


FLAVOURS: dict[str, Flavour] = {
    each.name: each
    for each in (
        Flavour(
            "u8s8",
            "onnx",
            ("onnx_runtime", "open_vino"),
            "onnx_runtime",
            ".u8s8.onnx",
            purpose="x86 CPUs; OpenVINO on CPU, GPU, NPU",
        ),
        Flavour(
            "s8s8",
            "onnx",
            ("onnx_runtime",),
            "onnx_runtime",
            ".s8s8.onnx",
            ("cpu-arm64", "raspberry-pi"),
            purpose="ONNX Runtime on ARM",
        ),
        Flavour(
            "tensorrt",
            "onnx",
            ("onnx_runtime",),
            "onnx_runtime",
            ".tensorrt.onnx",
            ("jetson",),
            {"onnx_runtime": {"device": "tensorrt", "precision": "int8"}},
            "TensorRT: symmetric",
        ),
        Flavour("tflite", "tflite", ("lite_rt",), "lite_rt", ".int8.tflite", purpose="LiteRT; what the Edge TPU compiler takes"),
        Flavour("openvino", "openvino_ir", ("open_vino",), "open_vino", ".int8.xml", purpose="OpenVINO IR, by NNCF"),
    )
}

EDGE_TPU = Flavour(
    "edgetpu", "tflite", ("lite_rt",), "", "_edgetpu.tflite", ("coral",), {"lite_rt": {"device": "edgetpu"}}, "Coral Edge TPU"
)
"""Made from a full-int8 TFLite file by Coral's compiler, if that is installed."""
