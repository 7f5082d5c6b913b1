"""Base classes of runtimes: load a model file, run it, report its actual device.

Contract, tested for every backend by `tests/agent/backends/test_contract.py`: `load` raises `ModelError` for a file that the
runtime refuses and `MissingError` (with the extra to install) if the runtime is not installed; `infer` holds no reference to its
inputs after it returns and may reuse the output arrays at the next call; a session is used by at most `parallel` threads at a
time, usually one; the runtime opens no network connection and writes no file outside `cache_dir`.

Inputs may be read-only (they are often views of a received message): a runtime that writes to its inputs, or refuses read-only
ones, copies them itself. They are aligned and of the machine's byte order: `backends.contained` copies unaligned arrays, and
`check_inputs` refuses the other byte order. Outputs have the declared types. Anything else that a backend raises becomes a
`RuntimeFaultError` there.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.core.fault_text import fault_text, without_class_name
from edgefleet_contract.package.manifest import InputSpec

Array = npt.NDArray[Any]
S = TypeVar("S", bound=msgspec.Struct)

ERROR_TEXT_MAX = 240
"""Characters of a runtime's error text in our errors."""

SHAPES_MAX = 1024
"""Pairs of shapes whose comparison is cached: a model in use gets the same ones again and again."""

BFLOAT16 = np.dtype([("bfloat16", "<u2")])
"""NumPy has no bfloat16: arrays of it hold its bits, in a type that no arithmetic accepts by mistake."""

DEFAULT_THREADS_MAX = 4
"""Threads from which small models benefit; more would only take cores from decoders."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """Options for loading a model. threads: 0 for `default_threads`. strict: fail instead of computing on another device than
    `device`. options: runtime options of the variant; a name unknown to the runtime is an error. picture: the manifest's picture
    input, for runtimes that can do a part of the preprocessing if an option requests it. deterministic: equal inputs must give
    equal bits in all sessions with these options. apart: on an accelerator, in the process of that device (see
    `backends.isolated`); `backends.contained` does so.
    """

    device: str = "cpu"
    threads: int = 0
    strict: bool = False
    cache_dir: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    picture: InputSpec | None = None
    deterministic: bool = False
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Placement:
    """Actual placement of a model, read back from the runtime after loading. fell_back: it is not on the requested device.
    beyond: for a model on every device of a kind, the device name that selects one not in use yet. short: a device that is
    present could not be used.
    """

    runtime: str
    version: str
    device: str
    fell_back: bool = False
    detail: str = ""
    beyond: str = ""
    short: bool = False


class Session(ABC):
    """One loaded model.

    parallel: number of threads that may call `infer` at a time; if more than one, outputs are never reused. folded: the picture
    input takes 8-bit pixels, rows first, and the runtime does the rest (see `LoadOptions.picture`).
    """

    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    placement: Placement
    parallel: int = 1
    folded: bool = False

    @abstractmethod
    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        """Run once. Arrays are C-contiguous with the input's exact shape and dtype.

        Raises:
            ModelError: a name, shape or dtype does not fit, or the runtime failed.
        """

    def infer_all(self, rows: Iterable[Mapping[str, Array]]) -> Iterator[Mapping[str, Array]]:
        """Run once for each of `rows`, in their order, `parallel` at a time if the runtime can. Each result is valid until the
        next one is fetched.

        Raises:
            ModelError: as `infer`; the rows after it are not computed.
        """
        for row in rows:
            yield self.infer(row)

    def recover(self, stopping: Callable[[], bool]) -> None:  # noqa: B027 - most sessions have nothing to do
        """Get ready for the next run after a failed one. May block until `stopping` returns true."""

    @abstractmethod
    def close(self) -> None:
        """Release memory and device. `infer` must not be called afterwards."""


class Backend(ABC):
    """One runtime. needs: Python modules of which one has to be installed, best first. formats: of the variants that it loads, by
    the names in manifests; another package's variant is refused before `load`. own_processes: it uses accelerators in processes
    of their own in any case."""

    name: str
    needs: tuple[str, ...]
    formats: frozenset[str]
    own_processes: bool = False

    def installed(self) -> bool:
        """True when the runtime can be imported; imports nothing."""
        return any(importlib.util.find_spec(module) is not None for module in self.needs)

    @abstractmethod
    def devices(self) -> list[str]:
        """Devices this runtime can compute on here, best first; `cpu` last, if it can. May import the vendor library.

        Raises:
            MissingError: the runtime is not installed.
        """

    def also_tested(self) -> list[str]:
        """Devices without a kind or number that `devices` leaves out where they do not work: `edgefleet-agent doctor` tries them
        and says why."""
        return []

    def trial_model(self, folder: Path) -> Path | None:  # noqa: ARG002 - for backends that have one
        """Write a model file for `edgefleet-agent doctor` into `folder`: it returns its only input, int8 or float32 [1, 8], plus
        itself. None: the doctor only lists the devices."""
        return None

    def probe(self, device: str) -> str:
        """Look for a device without a model, for `edgefleet-agent doctor` where there is no trial model; returns what was found.

        Raises:
            MissingError: the runtime or the device is missing; the text says what to do.
        """
        found = self.devices()
        if device.partition(":")[0] not in {each.partition(":")[0] for each in found}:
            known = ", ".join(found) or "none"
            raise MissingError(f"no device {device} for runtime {self.name}: check that it is connected; found are {known}")
        return "found"

    @abstractmethod
    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        """Load a model; `files[0]` is the one to open.

        Raises:
            ModelError: the runtime refuses the file. MissingError: the runtime or, if strict, the device is missing.
        """


def with_picture_size(name: str, shape: Sequence[int], picture: InputSpec | None) -> tuple[int, ...] | None:
    """The shape of a model's input, if it is `picture` and has open sides (-1) other than the first: these have the size that the
    manifest gives, so that the shapes of the outputs are known. None: nothing to set."""
    if picture is None or picture.kind != "image" or picture.name not in ("", name) or len(shape) != len(picture.shape):
        return None
    if all(side >= 0 for side in shape[1:]):
        return None
    return (shape[0], *(size if side < 0 else side for side, size in zip(shape[1:], picture.shape[1:], strict=True)))


def default_threads() -> int:
    """Default number of threads: the cores this process may use, at most `DEFAULT_THREADS_MAX`."""
    return min(len(os.sched_getaffinity(0)), DEFAULT_THREADS_MAX)


def one_line(cause: BaseException) -> str:
    """The first informative line of a runtime's error text, shortened."""
    lines = [line.strip() for line in str(cause).splitlines()]
    # OpenVINO names the C++ source files of the exception first.
    informative = [line for line in lines if line and not line.startswith(("Exception from", "Check '"))]
    first = without_class_name((informative or lines or [""])[0].partition(" Exception from ")[0])
    return first[:ERROR_TEXT_MAX].rstrip(" .:") or fault_text(cause)


def refused_file(file: Path, runtime: str, cause: BaseException) -> ModelError:
    """The error for a file that a runtime refuses."""
    return ModelError(
        f"{file.name}: {runtime} cannot load it ({one_line(cause)}); check that the file is complete and made for this runtime"
    )


def check_files(files: tuple[Path, ...]) -> None:
    """Check that every file of a model exists.

    Raises:
        ModelError: names the missing one.
    """
    for path in files:
        if not path.is_file():
            raise ModelError(f"{path}: no such file")


def check_inputs(specs: tuple[TensorSpec, ...], inputs: Mapping[str, Array]) -> None:
    """Check that the arrays fit the model's inputs.

    Raises:
        ModelError: names the wrong input, its actual and its required type.
    """
    if len(inputs) != len(specs):
        raise _other_names(specs, inputs)
    for spec in specs:
        array = inputs.get(spec.name)
        if array is None:
            raise _other_names(specs, inputs)
        if array.dtype != spec.dtype or not (spec.any_rank or shape_fits(array.shape, spec.shape)):
            raise ModelError(f"input {spec.name!r} is {spec.dtype} {list(spec.shape)}, got {array.dtype} {list(array.shape)}")
        if not array.flags.c_contiguous:
            raise ModelError(f"input {spec.name!r}: the array must be C-contiguous")


def _other_names(specs: tuple[TensorSpec, ...], inputs: Mapping[str, Array]) -> ModelError:
    return ModelError(f"inputs are called {[spec.name for spec in specs]}, got {list(inputs)}")


@functools.lru_cache(SHAPES_MAX)
def shape_fits(actual: tuple[int, ...], declared: tuple[int, ...]) -> bool:
    """True if `actual` has the dimensions that `declared` fixes; -1 is open."""
    return len(actual) == len(declared) and all(want in (-1, have) for have, want in zip(actual, declared, strict=True))


def parse_options(options: LoadOptions, kind: type[S]) -> S:
    """Parse the variant's own options for a runtime.

    Raises:
        ModelError: an option or a value that this runtime does not know; the text lists the known ones.
    """
    known = [each.name for each in msgspec.structs.fields(kind)]
    strange = sorted(set(options.options) - set(known))
    if strange:
        raise ModelError(f"unknown option {strange[0]!r} for this runtime; known are {', '.join(known) or 'none'}")
    kinds = get_type_hints(kind)
    for name, value in options.options.items():
        if get_origin(kinds[name]) is Literal and value not in get_args(kinds[name]):
            values = ", ".join(each for each in get_args(kinds[name]) if each)
            raise ModelError(f"option {name} = {value!r}: must be one of {values}")
        expected = get_origin(kinds[name]) or kinds[name]
        if expected is not Literal and type(value) is not expected:
            raise ModelError(f"option {name} = {value!r} must be of type {expected.__name__}")
    return kind(**options.options)
