"""Reasons of the repository index: faults of models that are not served, or not with the files on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

UNLOADED = "unloaded"


@dataclass(frozen=True, slots=True)
class _Fault:
    """version: the one that cannot be loaded; empty for a fault of the configuration or of the whole model."""

    version: str
    text: str


class LoadFaults:
    """The fault of the last load of each model that has one."""

    def __init__(self) -> None:
        self._faults: dict[str, _Fault] = {}

    def __contains__(self, model: object) -> bool:
        return model in self._faults

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._faults))

    def put(self, model: str, version: str, text: str) -> None:
        """Record a fault. version: the one that cannot be loaded; empty if it is about all."""
        self._faults[model] = _Fault(version, text)

    def clear(self, model: str) -> None:
        """Forget the fault of a model."""
        self._faults.pop(model, None)

    def text(self, model: str) -> str:
        """The fault of a model; empty if it has none."""
        fault = self._faults.get(model)
        return fault.text if fault is not None else ""

    def of_served(self, model: str, version: str) -> str:
        """The reason of a version that is served as it was before: its files, or the configuration, cannot be loaded now."""
        fault = self._faults.get(model)
        if fault is None or fault.version not in ("", version):
            return ""
        return f"served as before; its files cannot be loaded: {fault.text}"

    def of_missing(self, model: str, version: str) -> str:
        """The reason of a version that is not served."""
        fault = self._faults.get(model)
        if fault is None:
            return UNLOADED
        if fault.version in ("", version):
            return fault.text
        return f"{UNLOADED}, as version {fault.version} cannot be loaded"
