"""Every struct of the contract, the agent and the server, by the name that the corpus records it under."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from pathlib import Path
from typing import Any

import edgefleet_agent
import edgefleet_contract
import edgefleet_server
from edgefleet_contract.encoding.codec import Wire, from_plain, to_plain
from tests.corpus import samples
from tests.corpus.folder import read_json, write_json

FOLDER = "structs"
MOVED: dict[str, str] = {}
"""Names of recorded structs that later versions gave another name or module: recorded -> today."""
_SKIPPED = ("__main__", "edgefleet_server.db.migrations.", "edgefleet_agent.backends.ncs2.host_process")


@lru_cache(maxsize=1)
def every() -> dict[str, type[Wire]]:
    """Today's structs: `module.Name` -> class. Modules whose libraries are not installed are left out."""
    for package in (edgefleet_contract, edgefleet_agent, edgefleet_server):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if any(part in module.name for part in _SKIPPED) or not _defines_structs(module):
                continue
            importlib.import_module(module.name)
    found: dict[str, type[Wire]] = {}
    kinds = list(Wire.__subclasses__())
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.__module__.partition(".")[0] in ("edgefleet_contract", "edgefleet_agent", "edgefleet_server"):
            found[f"{kind.__module__}.{kind.__qualname__}"] = kind
    return dict(sorted(found.items()))


def _defines_structs(module: pkgutil.ModuleInfo) -> bool:
    """Whether the module's text names a struct's base: only such are imported, the others need seconds and vendor libraries."""
    spec = module.module_finder.find_spec(module.name, None)  # type: ignore[call-arg]
    return spec is not None and spec.origin is not None and "(Wire" in Path(spec.origin).read_text(encoding="utf-8")


def sample(kind: type[Wire]) -> dict[str, Any]:
    """Recorded samples of one struct."""
    least, most = samples.minimal(kind), samples.full(kind)
    for message in (least, most):
        assert to_plain(from_plain(to_plain(message), kind)) == to_plain(message), f"{kind}: its sample is not valid"
    return {
        "minimal": to_plain(least),
        "meaning": samples.complete(least),
        "full": to_plain(most),
        "unknown": to_plain(samples.with_future(most)),
        "values": samples.values_of(kind),
    }


def record(folder: Path) -> None:
    """Write one file a module."""
    modules: dict[str, dict[str, Any]] = {}
    for name, kind in every().items():
        module, _, struct = name.rpartition(".")
        modules.setdefault(module, {})[struct] = sample(kind)
    for module, found in modules.items():
        write_json(folder / FOLDER / f"{module}.json", found)


def recorded(folder: Path) -> dict[str, dict[str, Any]]:
    """Recorded samples, by the struct's name."""
    return {
        f"{path.stem}.{struct}": case
        for path in sorted((folder / FOLDER).glob("*.json"))
        for struct, case in read_json(path).items()
    }


def class_of(name: str) -> type[Wire]:
    """Today's class of a recorded struct."""
    kind = every().get(MOVED.get(name, name))
    assert kind is not None, f"{name} was a format; keep it, or name its successor in tests/corpus/structs.py (MOVED)"
    return kind
