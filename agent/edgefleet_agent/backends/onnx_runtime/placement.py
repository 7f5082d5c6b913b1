"""Placement of a session of ONNX Runtime: the execution provider of each operator.

From version 1.24 on the library says it (`get_provider_graph_assignment_info`). Older ones, such as the wheels for JetPack, write
it into the profile of a run: the session is opened with profiling, run once, and the profile ended; later runs are not profiled.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from edgefleet_agent.backends.base import Placement
from edgefleet_agent.backends.onnx_runtime.devices import PROVIDERS, ProviderDevice
from edgefleet_agent.backends.onnx_runtime.session import spec_of
from edgefleet_contract.core.errors import MissingError

PROFILE_BYTES_MAX = 64 * 1024 * 1024
NOT_KNOWN = "which of its operators the device computes is not known"


class Shares(NamedTuple):
    """Operators, or kernels of several each (`unit`), by provider; none where it is not known."""

    counts: Counter[str]
    unit: str = "operators"


@contextmanager
def profiled(runtime: ModuleType, settings: Any, *, needed: bool) -> Iterator[Path | None]:
    """Set a session that is going to be opened to be profiled, if `needed` and the library is too old to do without. Yields the
    folder of the profile; None: not profiled."""
    if not needed or hasattr(runtime.InferenceSession, "get_provider_graph_assignment_info"):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="edgefleet-profile-") as folder:
        settings.enable_profiling = True
        settings.profile_file_prefix = str(Path(folder) / "run")
        yield Path(folder)


def shares_of(session: Any, profile: Path | None, failures: tuple[type[Exception], ...]) -> Shares:
    """The shares of the providers in an opened session. profile: the folder of `profiled`. failures: errors of the library."""
    if hasattr(session, "get_provider_graph_assignment_info"):
        counts: Counter[str] = Counter()
        for part in session.get_provider_graph_assignment_info():
            counts[part.ep_name] += len(part.get_nodes())
        return Shares(counts)
    return _shares_of_a_run(session, failures) if profile is not None else Shares(Counter())


def placement_of(runtime: ModuleType, shares: Shares, device: str, place: ProviderDevice, *, proven: bool = False) -> Placement:
    """The placement of a session of `place`, the device named `device`. proven: the library refuses models that are elsewhere.

    Raises:
        MissingError: not even a part of the model is computed there.
    """
    counts, version = shares.counts, str(runtime.__version__)
    if not counts:
        return Placement("onnx_runtime", version, device, detail="" if proven else NOT_KNOWN)
    if not counts[place.provider]:
        raise MissingError(f"{device} runs no operator of this model; check {place.driver}")
    total = sum(counts.values())
    elsewhere = [(name, count) for name, count in counts.items() if name != place.provider]
    parts = ", ".join(f"{count} of {total} {shares.unit} run on {_device(name)}" for name, count in elsewhere)
    return Placement("onnx_runtime", version, device, detail=parts)


def _shares_of_a_run(session: Any, failures: tuple[type[Exception], ...]) -> Shares:
    specs = [spec_of(node) for node in session.get_inputs()]
    expected: tuple[type[Exception], ...] = (*failures, OSError)
    try:
        session.run(None, {spec.name: np.zeros([max(side, 1) for side in spec.shape], spec.dtype) for spec in specs})
        file = Path(session.end_profiling())
        if file.stat().st_size > PROFILE_BYTES_MAX:
            return Shares(Counter())
        events = json.loads(file.read_bytes())
    except expected:  # zeros are no valid input of every model; a disk may be full
        return Shares(Counter())
    nodes = {(event["args"]["provider"], event["args"].get("node_index"), event["name"]) for event in events if _is_run(event)}
    return Shares(Counter(provider for provider, _, _ in nodes), "kernels")


def _is_run(event: dict[str, Any]) -> bool:
    is_kernel = event.get("cat") == "Node" and str(event.get("name", "")).endswith("_kernel_time")
    return is_kernel and bool(event.get("args", {}).get("provider"))


def _device(provider: str) -> str:
    return next((kind for kind, name in PROVIDERS.items() if name == provider), provider)
