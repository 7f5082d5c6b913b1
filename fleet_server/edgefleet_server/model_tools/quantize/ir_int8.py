"""Quantizes OpenVINO IR to int8 by NNCF, for models that exist as IR only. Both libraries send telemetry to a web service unless
their telemetry module cannot be imported."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from edgefleet_server.core.errors import InputError, MissingError
from edgefleet_server.model_tools.quantize.samples import load


def quantize_ir(float_file: Path, target: Path, readings: Sequence[Path], on_progress: Callable[[int], None]) -> None:
    """Write `target` (.xml) and its .bin.

    Raises:
        MissingError: NNCF or OpenVINO is not installed. InputError: it cannot be quantized.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # None marks a module as not importable
    # It prints bars and tables on the standard output, which is reserved for JSON.
    with redirect_stdout(io.StringIO()):
        _quantize(float_file, target, readings, on_progress)


def _quantize(float_file: Path, target: Path, readings: Sequence[Path], on_progress: Callable[[int], None]) -> None:
    try:
        import nncf
        import openvino
    except ModuleNotFoundError as cause:
        raise MissingError(
            f"quantizing OpenVINO IR needs the Python module {cause.name}: "
            "pip install 'edgefleet-server[nncf]'; or import the ONNX file"
            " too, whose int8 variant OpenVINO reads"
        ) from cause
    logging.getLogger("nncf").setLevel(logging.ERROR)
    try:
        model = openvino.Core().read_model(str(float_file))
        names = [port.get_any_name() for port in model.inputs]
        dataset = nncf.Dataset(list(enumerate(readings, 1)), _feed(names, on_progress))
        preset = nncf.QuantizationPreset.MIXED
        made = nncf.quantize(model, dataset, preset=preset, subset_size=len(readings))
        openvino.save_model(made, str(target), compress_to_fp16=False)
    except (RuntimeError, ValueError, nncf.ValidationError) as cause:
        first = str(cause).strip().partition("\n")[0][:200]
        raise InputError(f"{float_file.name}: NNCF cannot quantize it ({first}); leave out --flavour openvino") from cause


def _feed(names: Iterable[str], on_progress: Callable[[int], None]) -> Callable[[tuple[int, Path]], Any]:
    def feed(item: tuple[int, Path]) -> Any:
        number, path = item
        on_progress(number)
        arrays = load(path)
        return [arrays[name] for name in names]

    return feed
