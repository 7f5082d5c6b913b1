"""The runtimes of this machine. Imports no runtime."""

from __future__ import annotations

import platform

from edgefleet_agent.backends.base import Backend
from edgefleet_agent.core import plugins
from edgefleet_contract.core.errors import ModelError

RUNTIMES = ("lite_rt", "onnx_runtime", "open_vino")
"""Lightest first: the order of preference if a variant runs on several and no profile decides."""


def find_backend(name: str) -> Backend:
    """The backend of a runtime.

    Raises:
        ModelError: unknown runtime.
    """
    backend: Backend = plugins.load("backends", name, ModelError)()
    return backend


def installed_runtimes() -> list[str]:
    """The runtimes that can be imported here, built-in ones first."""
    names = [*RUNTIMES, *(name for name in plugins.names("backends") if name not in RUNTIMES)]
    return [name for name in names if find_backend(name).installed()]


def cpu_profile() -> str:
    """The profile of this machine without any accelerator: the default of commands without a profile option."""
    return {"x86_64": "cpu-x86", "aarch64": "cpu-arm64"}.get(platform.machine(), "")
