"""Models for windows of a sensor: autoencoders, whose reconstruction error is the anomaly score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_agent.backends.base import Array, LoadOptions, Session
from edgefleet_agent.backends.contained import as_runtime_fault
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.pipeline.model.loaded_model import cpu_profile, read_package
from edgefleet_agent.pipeline.model.model_faults import as_model_error
from edgefleet_agent.signal.anomaly import AnomalyScore
from edgefleet_agent.vision.heads.base import HeadContext, TensorSpec
from edgefleet_agent.vision.heads.output_tensors import check_numbers
from edgefleet_agent.vision.heads.reconstruction import ReconstructionHead
from edgefleet_contract.core.errors import ManifestError, MissingError, ModelError
from edgefleet_contract.package.manifest import InputSpec, Manifest
from edgefleet_contract.package.profile import choose_variant

FAMILY = "reconstruction"


class SeriesModel:
    """Scores windows (points, channels); one caller at a time. The score is the error as a multiple of the package's threshold.

    The manifest has one input of kind `tensor` and shape [1, points, channels]; its `mean` and `std`, one for each channel, are
    those of normal values.
    """

    def __init__(self, manifest: Manifest, spec: InputSpec, session: Session) -> None:
        """Raises ManifestError if manifest and file do not match."""
        self.manifest = manifest
        (tensor,) = session.inputs
        tensor = tensor if tensor.scale else replace(tensor, scale=spec.scale, zero_point=spec.zero_point)
        self._session = session
        self._tensor = tensor
        self.points, self.channels = _window(manifest, spec, tensor)
        self._mean = _each(manifest, spec.mean or [0.0], self.channels)
        self._std = _each(manifest, spec.std or [1.0], self.channels)
        context = HeadContext(
            outputs={each.name: each for each in session.outputs},
            names=manifest.head.outputs,
            params=manifest.head.params,
            input_width=0,
            input_height=0,
            input=tensor,
        )
        self._head = ReconstructionHead(context)

    @classmethod
    def open(cls, folder: Path, runtimes: Sequence[str]) -> SeriesModel:
        """Load the package in `folder`.

        Raises:
            ManifestError: there is no manifest, or it is not for series. ModelError: the runtime refuses the file. MissingError:
            no variant fits.
        """
        manifest = read_package(folder)
        chosen = choose_variant(manifest, cpu_profile(), list(runtimes))
        if chosen is None:
            raise MissingError(f"{manifest.id} has no variant for {', '.join(runtimes) or 'no runtime'}")
        variant, runtime = chosen
        inputs = variant.inputs or manifest.inputs
        if manifest.head.family != FAMILY or len(inputs) != 1 or inputs[0].kind != "tensor":
            raise ManifestError(f"{manifest.id}: time series require the head {FAMILY!r} and one input of kind 'tensor'")
        backend = find_backend(runtime, variant)
        session = backend.load(tuple(folder / path for path in variant.files), LoadOptions(threads=1))
        try:
            if len(session.inputs) != 1:
                raise ManifestError(f"{manifest.id}: the file has {len(session.inputs)} inputs, time series require one")
            with as_runtime_fault(manifest.id):
                return cls(manifest, inputs[0], session)
        except BaseException:
            session.close()
            raise

    def judge(self, values: npt.NDArray[np.float64]) -> AnomalyScore:
        """The anomaly score of a window and its worst channel.

        Raises:
            ModelError: the window has another size, the runtime failed, or it computed NaN.
        """
        if values.shape != (self.points, self.channels):
            raise ModelError(f"{self.manifest.id} expects {self.points} x {self.channels} values, got {list(values.shape)}")
        stored = _stored((values - self._mean) / self._std, self._tensor)[None]
        with as_model_error(self.manifest.id):
            made = self._session.infer({self._tensor.name: stored})
            check_numbers(made)
            outputs = {**made, self._tensor.name: stored}
            return AnomalyScore(self._head.deviation(outputs), int(self._head.squares(outputs)[0].sum(axis=0).argmax()))

    def close(self) -> None:
        """Release the session."""
        self._session.close()


def _window(manifest: Manifest, spec: InputSpec, tensor: TensorSpec) -> tuple[int, int]:
    shape = tensor.shape if min(tensor.shape[1:], default=-1) > 0 else tuple(spec.shape)
    if len(shape) != 3 or shape[0] not in (1, -1) or min(shape[1:]) < 1:
        raise ManifestError(f"{manifest.id}: time series require [1, points, channels], the input is {list(tensor.shape)}")
    return shape[1], shape[2]


def _each(manifest: Manifest, values: list[float], channels: int) -> Array:
    if len(values) not in (1, channels):
        raise ManifestError(f"{manifest.id}: mean and std need 1 or {channels} numbers, got {len(values)}")
    return np.broadcast_to(np.asarray(values, np.float64), channels)


def _stored(real: Any, tensor: TensorSpec) -> Array:
    """Real values in the tensor's data type, quantized if it is an integer type."""
    if tensor.dtype.kind == "f":
        return np.ascontiguousarray(real, tensor.dtype)
    limits = np.iinfo(tensor.dtype)
    steps = np.rint(real / (tensor.scale or 1.0)) + tensor.zero_point
    return np.ascontiguousarray(np.clip(steps, limits.min, limits.max), tensor.dtype)
