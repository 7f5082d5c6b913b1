"""Advice about optional parts of the agent, by the kind of its installation."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE_HOME = Path("/opt/edgefleet")
"""The environment of the Debian package, which has no pip."""
ENVIRONMENTS = "environments"
"""The folder of the environments of updates of the agent itself, which have none, either."""

_BY_PIP = re.compile(r"pip install 'edgefleet-agent\[(\w+)\]'")


def fitting_hint(text: str) -> str:
    """The advice of a device profile, with what installs an extra on this machine."""
    return _BY_PIP.sub(lambda found: install_hint(found[1]), text)


def install_hint(extra: str) -> str:
    """The advice to install an extra of the distribution, like `onnx`."""
    prefix = Path(sys.prefix)
    if prefix == PACKAGE_HOME or ENVIRONMENTS in prefix.parts:
        return f"install a Debian package of the agent that was built with {extra} in --extras"
    return f"pip install 'edgefleet-agent[{extra}]'"
