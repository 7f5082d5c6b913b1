"""The repository index, and its reasons: faults of models that are not served, or not with the files on disk."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from edgefleet_agent.serving.engine.media_calls import FRONTS
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, index_rows, version_key

UNLOADED = "unloaded"


@dataclass(frozen=True, slots=True)
class _Fault:
    """version: the one that cannot be loaded; empty for a fault of the configuration or of the whole model. versions: those that
    it is about; None: all."""

    version: str
    text: str
    versions: frozenset[str] | None = None


class LoadFaults:
    """The fault of the last load of each model that has one."""

    def __init__(self) -> None:
        self._faults: dict[str, _Fault] = {}

    def __contains__(self, model: object) -> bool:
        return model in self._faults

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._faults))

    def put(self, model: str, version: str, text: str, versions: Collection[str] | None = None) -> None:
        """Record a fault. version: the one that cannot be loaded; empty if it is about all. versions: those that it is about,
        where others were not loaded before; None: all."""
        self._faults[model] = _Fault(version, text, None if versions is None else frozenset(versions))

    def clear(self, model: str) -> None:
        """Forget the fault of a model."""
        self._faults.pop(model, None)

    def text(self, model: str) -> str:
        """The fault of a model; empty if it has none."""
        fault = self._faults.get(model)
        return fault.text if fault is not None else ""

    def index(
        self, catalogue: ModelRegistry, on_disk: Mapping[str, Collection[str]], *, ready: bool, away: str = ""
    ) -> list[dict[str, str]]:
        """All versions, on disk or served, with their states. on_disk: model -> versions. away: the fault of the folders."""
        if away:
            names = [name for name in catalogue.names() if not name.endswith(FRONTS)]
            on_disk = dict.fromkeys({*names, *self._faults}, ())
        rows: list[dict[str, str]] = []
        for name, versions in on_disk.items():
            served = catalogue.served_versions(name)
            for version in sorted({*versions, *served}, key=version_key) or [""]:
                if version in served:
                    fault = away or self._of_served(name, version)
                    rows += [row | {"reason": row["reason"] or fault} for row in index_rows([served[version]], ready=ready)]
                elif not ready:
                    reason = away or self._of_missing(name, version)
                    rows.append({"name": name, "version": version, "state": "UNAVAILABLE", "reason": reason})
        fronts = [each for each in catalogue.all() if each.signature.model.endswith(FRONTS)]
        return [*rows, *index_rows(fronts, ready=ready)]

    def _of_served(self, model: str, version: str) -> str:
        """The reason of a version that is served as it was before: its files, or the configuration, cannot be loaded now."""
        fault = self._faults.get(model)
        if fault is None or fault.version not in ("", version):
            return ""
        return f"served as before; its files cannot be loaded: {fault.text}"

    def _of_missing(self, model: str, version: str) -> str:
        """The reason of a version that is not served."""
        fault = self._faults.get(model)
        if fault is None or (fault.versions is not None and version not in fault.versions):
            return UNLOADED
        if fault.version in ("", version):
            return fault.text
        return f"{UNLOADED}, as version {fault.version} cannot be loaded"
