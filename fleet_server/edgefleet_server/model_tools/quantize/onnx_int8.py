"""Quantizes ONNX to int8 in QDQ form by ONNX Runtime's own static quantization.

Preparation: weights are removed from the inputs of the graph (old exporters list them), the opset is raised to 13, the first with
scales per channel, and shapes are inferred. All nodes behind the last layer with weights stay float: boxes and scores that are
joined into one output would otherwise share one scale.
"""

from __future__ import annotations

import io
import logging
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from edgefleet_server.core.errors import InputError, MissingError
from edgefleet_server.model_tools.quantize.samples import load

OPSET_MIN = 13
WEIGHTED = ("Conv", "ConvTranspose", "Gemm", "MatMul")
Method = Literal["minmax", "entropy", "percentile"]
METHODS: tuple[Method, ...] = ("minmax", "entropy", "percentile")
HISTOGRAM_SAMPLES_MAX = 64
"""Entropy and percentile keep every value of every sample in memory."""
NEEDS = "pip install 'edgefleet-server[quantize]'"


def prepare(float_file: Path, into: Path) -> Path:
    """Write the float model prepared for quantization; returns its path.

    Raises:
        InputError: it cannot be converted to opset 13. MissingError: onnx or ONNX Runtime is not installed.
    """
    onnx, _ = _libraries()
    from onnx import version_converter
    from onnxruntime.quantization.shape_inference import quant_pre_process

    clean, ready = into / "clean.onnx", into / "ready.onnx"
    with _quiet():
        model = onnx.load(str(float_file))
        weights = {each.name for each in model.graph.initializer}
        inputs = [each for each in model.graph.input if each.name not in weights]
        del model.graph.input[:]
        model.graph.input.extend(inputs)
        model.ir_version = max(model.ir_version, 7)
        opset = next((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), 0)
        try:
            if opset < OPSET_MIN:
                model = version_converter.convert_version(model, OPSET_MIN)
            onnx.save(model, str(clean))
            quant_pre_process(str(clean), str(ready), skip_symbolic_shape=True)
            model = onnx.load(str(ready))
            for number, node in enumerate(model.graph.node):
                node.name = f"{number}:{node.op_type}"  # nodes are excluded by name, and many exporters leave names empty
            onnx.save(model, str(ready))
        except Exception as cause:  # both libraries raise bare Exceptions, RuntimeErrors, AssertionErrors
            first = str(cause).strip().partition("\n")[0][:200]
            raise InputError(
                f"{float_file}: cannot be brought to opset {OPSET_MIN} ({first}); export it again with a newer one"
            ) from cause
    return ready


def quantize_onnx(
    ready: Path, target: Path, flavour: str, readings: Sequence[Path], method: Method, on_progress: Callable[[int], None]
) -> None:
    """Write the int8 model. readings: files with the inputs of each calibration sample.

    Raises:
        InputError: the library cannot quantize it. MissingError: onnx or ONNX Runtime is not installed.
    """
    _, quantization = _libraries()
    symmetric = flavour == "tensorrt"
    activation = quantization.QuantType.QUInt8 if flavour == "u8s8" else quantization.QuantType.QInt8
    extra: dict[str, Any] = {"WeightSymmetric": True, "ActivationSymmetric": symmetric}
    if symmetric:
        # TensorRT requires the scales of weights in the graph, biases in float, and Q/DQ before the layers with weights only: it
        # fuses the rest by itself, and symmetric scales would waste one bit of activations that are mostly positive (SiLU).
        extra |= {"AddQDQPairToWeight": True, "QuantizeBias": False, "OpTypesToExcludeOutputQuantization": list(WEIGHTED)}
    kinds = {name: getattr(quantization.CalibrationMethod, known) for name, known in _METHOD_NAMES.items()}
    used = readings if method == "minmax" else readings[:HISTOGRAM_SAMPLES_MAX]
    with _quiet():
        try:
            quantization.quantize_static(
                str(ready),
                str(target),
                _reader(quantization, used, on_progress),
                quant_format=quantization.QuantFormat.QDQ,
                per_channel=True,
                activation_type=activation,
                weight_type=quantization.QuantType.QInt8,
                nodes_to_exclude=tail(ready) + (depthwise(ready) if symmetric else []),
                op_types_to_quantize=list(WEIGHTED) if symmetric else None,
                calibrate_method=kinds[method],
                extra_options=extra,
            )
        except Exception as cause:  # the library raises bare Exceptions, ValueErrors, AssertionErrors, KeyErrors
            first = str(cause).strip().partition("\n")[0][:200]
            raise InputError(
                f"{target.name}: ONNX Runtime cannot quantize this model ({first}); leave out --flavour {flavour}"
            ) from cause


def tail(ready: Path) -> list[str]:
    """Names of the nodes that no layer with weights follows, without those layers themselves."""
    onnx, _ = _libraries()
    graph = onnx.load(str(ready), load_external_data=False).graph
    needed: set[str] = set()
    left = []
    for node in reversed(graph.node):  # ONNX lists nodes in an order in which they can run
        if node.op_type in WEIGHTED or needed & set(node.output):
            needed.update(node.input)
        else:
            left.append(node.name)
    return left


def depthwise(ready: Path) -> list[str]:
    """Names of the depthwise convolutions. With symmetric scales they stay float: half of the quantization steps are too few
    for them (YOLOX-nano: mAP 0.02 with them in int8, 1.0 without)."""
    onnx, _ = _libraries()
    graph = onnx.load(str(ready), load_external_data=False).graph
    return [
        node.name
        for node in graph.node
        if node.op_type == "Conv" and any(each.name == "group" and each.i > 1 for each in node.attribute)
    ]


_METHOD_NAMES = {"minmax": "MinMax", "entropy": "Entropy", "percentile": "Percentile"}


def _reader(quantization: ModuleType, readings: Sequence[Path], on_progress: Callable[[int], None]) -> Any:
    class Reader(quantization.CalibrationDataReader):  # type: ignore[name-defined,misc]  # the base is known at run time only
        """The samples for the library, which calls `get_next` until it returns None."""

        def __init__(self) -> None:
            self._rows = self._all()

        def get_next(self) -> Any:
            return next(self._rows, None)

        def _all(self) -> Iterator[Any]:
            for number, path in enumerate(readings, 1):
                on_progress(number)
                yield load(path)

    return Reader()


def _libraries() -> tuple[ModuleType, ModuleType]:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnx
        import onnxruntime.quantization as quantization
    except ModuleNotFoundError as cause:
        raise MissingError(f"quantizing ONNX needs the Python module {cause.name}: {NEEDS}") from cause
    return onnx, quantization


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the library's advice in the root logger and its warnings on stderr, which would break the progress bar."""
    import onnxruntime

    before = logging.root.level
    logging.root.setLevel(logging.ERROR)
    onnxruntime.set_default_logger_severity(4)
    try:
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()):  # it prints, too
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.root.setLevel(before)
        onnxruntime.set_default_logger_severity(2)
