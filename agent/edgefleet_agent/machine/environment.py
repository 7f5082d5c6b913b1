"""The environment of the agent on this machine, as a bill (`edgefleet_contract.wire.environment_bill`)."""

from __future__ import annotations

import platform

from edgefleet_contract.core.distributions import installed
from edgefleet_contract.wire.environment_bill import EnvironmentBill, bounded_packages

TEXT_CHARS_MAX = 100


def environment_bill(agent_version: str) -> EnvironmentBill:
    """The bill of the Python that runs the agent, and of the system below it."""
    packages, left_out = bounded_packages(installed())
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    return EnvironmentBill(
        agent=_short(agent_version),
        python=_short(platform.python_version()),
        system=_short(release.get("ID", "")),
        system_version=_short(release.get("VERSION_ID", "")),
        kernel=_short(platform.release()),
        packages=packages,
        left_out=left_out,
    )


def _short(text: str) -> str:
    """The text as a field of a bill: printable ASCII, of limited length."""
    return "".join(letter for letter in text if " " <= letter <= "~")[:TEXT_CHARS_MAX]
