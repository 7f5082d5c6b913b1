"""The seam that every runtime fits: load a model file, run it, say where it really runs.

Contract, tested for every backend by `tests/agent/backends/test_contract.py`: `load` raises `ModelError` on a file the runtime
refuses and `MissingError` (with the extra to install) when the runtime is not there; `infer` never keeps a reference to its
inputs after it returns and may reuse the output arrays at the next call; a session is used by as many threads at a time as its
`parallel` says, usually one; the runtime opens no network connection and writes no file outside `cache_dir`.
"""

from __future__ import annotations

import importlib.util
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ModelError
from edgefleet_contract.package.manifest import InputSpec

Array = npt.NDArray[Any]
S = TypeVar("S", bound=msgspec.Struct)

LINE_MAX = 240
"""Characters of a runtime's own words that an error carries."""

BFLOAT16 = np.dtype([("bfloat16", "<u2")])
"""NumPy has no bfloat16: arrays of it hold its bits, in a type that no calculation takes by mistake."""

USUAL_THREADS_MAX = 4
"""Threads that small models gain from; more only take the cores from decoders."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load. threads 0: as many as `usual_threads`. strict: refuse instead of computing somewhere else than `device`.
    options: the variant's own, per runtime; a name that the runtime does not know is refused. picture: the manifest's picture
    input, for runtimes that can take over a part of the preprocessing where an option asks for it.
    """

    device: str = "cpu"
    threads: int = 0
    strict: bool = False
    cache_dir: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    picture: InputSpec | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a model really runs, read back from the runtime after loading. `fell_back` = not where it was asked to.

    beyond: of a model that uses every device of a kind, the name by which one that it does not use yet is asked for. short: one
    that is there could not be used.
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

    parallel: how many threads may call `infer` at a time; where it is more than one, outputs are never reused. folded: the
    picture input takes 8-bit pixels, rows first, and the runtime does the rest (see `LoadOptions.picture`).
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
        """Run once for each of `rows`, in their order, `parallel` at a time where the runtime can. Each answer is valid until the
        next is asked for.

        Raises:
            ModelError: as `infer`; the rows after it are not computed.
        """
        for row in rows:
            yield self.infer(row)

    @abstractmethod
    def close(self) -> None:
        """Give memory and device back. Further calls of `infer` are errors of the caller."""


class Backend(ABC):
    """One runtime. needs: the Python modules of which one has to be there for it to be installed, the best first."""

    name: str
    needs: tuple[str, ...]
    formats: frozenset[str]

    def installed(self) -> bool:
        """True when the runtime can be imported; imports nothing."""
        return any(importlib.util.find_spec(module) is not None for module in self.needs)

    @abstractmethod
    def devices(self) -> list[str]:
        """Devices this runtime can compute on here, best first; `cpu` always last. May import the vendor library.

        Raises:
            MissingError: the runtime is not installed.
        """

    @abstractmethod
    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        """Load a model; `files[0]` is the one to open.

        Raises:
            ModelError: the runtime refuses the file. MissingError: the runtime or, when strict, the device is not there.
        """


def usual_threads() -> int:
    """Threads when nobody asks for a number: the cores this process may use, at most `USUAL_THREADS_MAX`."""
    return min(len(os.sched_getaffinity(0)), USUAL_THREADS_MAX)


def one_line(cause: BaseException) -> str:
    """What a runtime said, as one line of bearable length: its first line that says something."""
    lines = [line.strip() for line in str(cause).splitlines()]
    # OpenVINO names the C++ source files that threw before it says anything.
    telling = [line for line in lines if line and not line.startswith(("Exception from", "Check '"))]
    first = (telling or lines or [""])[0].partition(" Exception from ")[0]
    return first[:LINE_MAX].rstrip(" .:") or type(cause).__name__


def refused(file: Path, runtime: str, cause: BaseException) -> ModelError:
    """The error of a file that a runtime does not load."""
    return ModelError(f"{file.name}: {runtime} refuses it ({one_line(cause)}); check that it is whole and made for this runtime")


def check_files(files: tuple[Path, ...]) -> None:
    """Every file of a model is there.

    Raises:
        ModelError: names the one that is not.
    """
    for path in files:
        if not path.is_file():
            raise ModelError(f"{path}: no such file")


def check_inputs(specs: tuple[TensorSpec, ...], inputs: Mapping[str, Array]) -> None:
    """The arrays are those that the model takes.

    Raises:
        ModelError: names the input at fault, what it is and what it has to be.
    """
    if len(inputs) != len(specs) or any(spec.name not in inputs for spec in specs):
        raise ModelError(f"inputs are called {[spec.name for spec in specs]}, got {list(inputs)}")
    for spec in specs:
        array = inputs[spec.name]
        if array.dtype != spec.dtype or not shape_fits(array.shape, spec.shape):
            raise ModelError(f"input {spec.name!r} is {spec.dtype} {list(spec.shape)}, got {array.dtype} {list(array.shape)}")
        if not array.flags.c_contiguous:
            raise ModelError(f"input {spec.name!r}: the array must be C-contiguous")


def shape_fits(actual: tuple[int, ...], said: tuple[int, ...]) -> bool:
    """True when `actual` has the dimensions that `said` fixes; -1 is open."""
    return len(actual) == len(said) and all(want in (-1, have) for have, want in zip(actual, said, strict=True))


def parse_options(options: LoadOptions, kind: type[S]) -> S:
    """The variant's own options as the runtime knows them.

    Raises:
        ModelError: an option or a value that this runtime does not know; the text lists those it does.
    """
    known = [each.name for each in msgspec.structs.fields(kind)]
    strange = sorted(set(options.options) - set(known))
    if strange:
        raise ModelError(f"unknown option {strange[0]!r} for this runtime; known are {', '.join(known) or 'none'}")
    kinds = get_type_hints(kind)
    for name, value in options.options.items():
        if get_origin(kinds[name]) is Literal and value not in get_args(kinds[name]):
            values = ", ".join(each for each in get_args(kinds[name]) if each)
            raise ModelError(f"option {name} = {value!r} is unknown; known are {values}")
        if get_origin(kinds[name]) is not Literal and type(value) is not kinds[name]:
            raise ModelError(f"option {name} = {value!r} must be of type {kinds[name].__name__}")
    return kind(**options.options)
