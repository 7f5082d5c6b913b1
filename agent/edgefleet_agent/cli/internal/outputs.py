"""`edgefleet-agent outputs`: writes the inputs and outputs of one variant of a package for samples, as arrays in files.

Used by `edgefleet model quantize`, which compares variants and calibrates with exactly the inputs that a device would use. It
runs as a child of that command, so that a crash of a runtime ends only the child. It writes one line of JSON a sample to stdout.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from edgefleet_agent.backends.base import Array, LoadOptions, Session
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.cli.support.argument_types import count
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, read_package
from edgefleet_agent.signal.table import parse_table, windows
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_agent.vision.heads.base import Quantity, TensorSpec
from edgefleet_contract.core.command_line import fraction
from edgefleet_contract.core.errors import InputError, ManifestError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.package.manifest import InputSpec, Manifest

SAMPLES_MAX = 4096
ANSWERS_MAX = 1000
LIST_BYTES_MAX = 4 * 1024 * 1024
TABLE_BYTES_MAX = 256 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `outputs`."""
    parser.add_argument("package", type=Path, metavar="DIR", help="Package folder (contains model.toml)")
    parser.add_argument("--variant", required=True, metavar="V", help="Package variant")
    parser.add_argument("--runtime", required=True, metavar="R", help="Runtime")
    parser.add_argument(
        "--samples", type=Path, required=True, metavar="FILE", help="List of image paths, one per line, or a CSV file"
    )
    parser.add_argument("--channels", nargs="*", default=[], metavar="NAME", help="Columns of the time series")
    parser.add_argument(
        "--from", type=count, default=0, dest="first", metavar="N", help="First window of a time series (default: %(default)s)"
    )
    parser.add_argument(
        "--count", type=int, default=SAMPLES_MAX, metavar="N", help="Maximum number of samples (default: %(default)s)"
    )
    parser.add_argument("--into", type=Path, required=True, metavar="DIR", help="Output folder for NNNNN.npz files")
    parser.add_argument("--inputs", action="store_true", help="Write model inputs instead of outputs")
    parser.add_argument(
        "--min-score", type=fraction, default=0.05, metavar="S", help="Confidence threshold of detections (default: %(default)s)"
    )
    parser.add_argument("--threads", type=count, default=0, metavar="N", help="Number of runtime threads (default: up to 4)")


def run(arguments: argparse.Namespace) -> int:
    """Run the samples, and write the arrays and one line of JSON for each.

    Raises:
        EdgefleetError: the text gives the remedy.
    """
    manifest = read_package(arguments.package)
    specs = manifest.variant(arguments.variant).inputs or manifest.inputs
    series = len(specs) == 1 and specs[0].kind == "tensor"
    maker = _Series(arguments, manifest, specs[0]) if series else _Pictures(arguments)
    try:
        for number, (inputs, outputs, description) in enumerate(maker.samples()):
            arrays = inputs if arguments.inputs else outputs
            named: dict[str, Any] = {f"t:{name}": array for name, array in arrays.items()}
            np.savez(arguments.into / f"{number:05d}.npz", **named)
            print(json_text({"sample": number, **description}), flush=True)
    finally:
        maker.close()
    return 0


Row = tuple[Mapping[str, Array], Mapping[str, Array], dict[str, Any]]
"""Inputs of the model, its outputs as real numbers, and the head's result as plain data."""


class _Maker(Protocol):
    def samples(self) -> Iterator[Row]: ...

    def close(self) -> None: ...


class _Pictures:
    """A model for pictures, with its head."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        lines = _text(arguments.samples, LIST_BYTES_MAX).splitlines()
        self._paths = [Path(line) for line in lines if line][: min(arguments.count, SAMPLES_MAX)]
        self._min_score: float = arguments.min_score
        self._inputs_only: bool = arguments.inputs
        self._model = LoadedModel.open(
            arguments.package, runtimes=[arguments.runtime], variant=arguments.variant, threads=arguments.threads
        )
        if self._model.stateful:
            raise ManifestError(f"{self._model.manifest.id} feeds outputs back as inputs; quantize it where it is trained")

    def samples(self) -> Iterator[Row]:
        model = self._model
        for path in self._paths:
            prepared = model.prepare(read_picture(path))
            if self._inputs_only:
                yield prepared.inputs, {}, {}
                continue
            raw = model.invoke(prepared)
            # Copied before the head runs, which may modify the arrays.
            real = _real(model.session.outputs, raw)
            result = model.decode(raw, prepared, self._min_score)
            yield prepared.inputs, real, {"answers": to_plain(model_outputs(result, model.label, ANSWERS_MAX))}

    def close(self) -> None:
        self._model.close()


class _Series:
    """A model with one tensor input, run on windows of a table of numbers. Its outputs are compared directly."""

    def __init__(self, arguments: argparse.Namespace, manifest: Manifest, spec: InputSpec) -> None:
        variant = manifest.variant(arguments.variant)
        backend = find_backend(arguments.runtime, variant)
        files = tuple(arguments.package / path for path in variant.files)
        options = variant.options.get(arguments.runtime, {})
        self._session: Session = backend.load(files, LoadOptions(threads=arguments.threads, options=options))
        tensor = self._session.inputs[0]
        shape = [
            declared if real == -1 else real for declared, real in zip(spec.shape or tensor.shape, tensor.shape, strict=True)
        ]
        table = parse_table(_text(arguments.samples, TABLE_BYTES_MAX), str(arguments.samples), arguments.channels)
        self._windows = windows(table, tuple(1 if side == -1 else side for side in shape))
        self._range = slice(arguments.first, arguments.first + min(arguments.count, SAMPLES_MAX))

    def samples(self) -> Iterator[Row]:
        tensor = self._session.inputs[0]
        for window in self._windows[self._range]:
            inputs = {tensor.name: stored(tensor, window)}
            outputs = _real(self._session.outputs, self._session.infer(inputs))
            yield inputs, outputs, {"answers": []}

    def close(self) -> None:
        self._session.close()


def stored(tensor: TensorSpec, real: Array) -> Array:
    """Real numbers in the tensor's data type and quantization."""
    if not tensor.scale:
        return np.ascontiguousarray(real, tensor.dtype)
    limits = np.iinfo(tensor.dtype)
    whole: Array = np.clip(np.rint(real / tensor.scale) + tensor.zero_point, limits.min, limits.max).astype(tensor.dtype)
    return whole


def _real(specs: tuple[TensorSpec, ...], outputs: Mapping[str, Array]) -> dict[str, Array]:
    return {spec.name: Quantity(spec).real(outputs[spec.name]).copy() for spec in specs}


def _text(path: Path, bytes_max: int) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(bytes_max + 1)
        if len(data) > bytes_max:
            raise InputError(f"{path}: larger than the limit of {bytes_max} bytes; use a part of it")
        return data.decode()
    except OSError as cause:
        raise InputError(f"{path}: cannot be read: {cause.strerror}") from cause
    except UnicodeDecodeError as cause:
        raise InputError(f"{path}: not UTF-8 text; specify a list of image paths, one per line, or a CSV file") from cause
