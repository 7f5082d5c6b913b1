"""The runtimes of this machine. Imports no runtime."""

from __future__ import annotations

import logging
import platform

from edgefleet_agent.backends.base import Backend
from edgefleet_agent.backends.contained import ContainedBackend, as_runtime_fault
from edgefleet_agent.core import plugins
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.package.manifest import Variant

log = logging.getLogger(__name__)

RUNTIMES = ("lite_rt", "onnx_runtime", "open_vino")
"""Lightest first: the order of preference if a variant runs on several and no profile decides."""


def find_backend(name: str, variant: Variant | None = None) -> Backend:
    """The backend of a runtime. Its faults are contained (see `backends.contained`). variant: of a package, which it has to read.

    Raises:
        ModelError: unknown runtime, its constructor fails, or it does not read the variant's format. MissingError: it cannot be
        imported.
    """
    made = plugins.load("backends", name, ModelError)
    with as_runtime_fault(f"runtime {name} cannot be used"):
        backend = ContainedBackend(made())
    if variant is not None and variant.format not in backend.formats:
        known = ", ".join(sorted(backend.formats))
        raise ModelError(
            f"variant {variant.name!r} is of format {variant.format!r}, and {name} reads {known}; correct its `runtimes`"
        )
    return backend


def installed_runtimes() -> list[str]:
    """The runtimes that can be imported here, built-in ones first."""
    names = [*RUNTIMES, *(name for name in plugins.names("backends") if name not in RUNTIMES)]
    return [name for name in names if _installed(name)]


def _installed(name: str) -> bool:
    try:
        return find_backend(name).installed()
    except (ModelError, MissingError) as cause:
        log.warning("runtime %s is not used: %s", name, cause)
        return False


def cpu_profile() -> str:
    """The profile of this machine without any accelerator: the default of commands without a profile option."""
    return {"x86_64": "cpu-x86", "aarch64": "cpu-arm64"}.get(platform.machine(), "")
