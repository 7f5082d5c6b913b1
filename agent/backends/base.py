"""The seam that every runtime fits: load a model file, run it, say where it really runs.

Contract, tested for every backend by `tests/agent/backends/test_contract.py`: `load` raises `ModelError` on a file the runtime
refuses and `MissingError` (with the extra to install) when the runtime is not there; `infer` never keeps a reference to its
inputs after it returns and may reuse the output arrays at the next call; a session is used by one thread at a time; the runtime
opens no network connection and writes no file outside `cache_dir`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from agent.vision.heads.base import TensorSpec

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load. strict: refuse instead of computing somewhere else than `device`. options: the variant's own, per runtime."""

    device: str = "cpu"
    threads: int = 0
    strict: bool = False
    cache_dir: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a model really runs, read back from the runtime after loading. `fell_back` = not where it was asked to."""

    runtime: str
    version: str
    device: str
    fell_back: bool = False
    detail: str = ""


class Session(ABC):
    """One loaded model."""

    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    placement: Placement

    @abstractmethod
    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        """Run once. Arrays are C-contiguous with the input's exact shape and dtype.

        Raises:
            ModelError: a name, shape or dtype does not fit, or the runtime failed.
        """

    @abstractmethod
    def close(self) -> None:
        """Give memory and device back. Further calls of `infer` are errors of the caller."""


class Backend(ABC):
    """One runtime."""

    name: str
    formats: frozenset[str]

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
