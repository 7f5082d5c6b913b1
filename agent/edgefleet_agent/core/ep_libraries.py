"""The administrator's libraries of plug-in execution providers: a setting of the agent, an environment variable for its children.
A package or a server cannot set them."""

from __future__ import annotations

import os
from collections.abc import Mapping

VARIABLE = "EDGEFLEET_EP_LIBRARIES"
"""Environment variable: `NAME=PATH`, several with `:` between them."""
LIBRARIES_MAX = 16


def set_libraries(libraries: Mapping[str, str]) -> None:
    """Set the libraries, name to path, for this process and its children. Without any, those of the environment stay."""
    if libraries or VARIABLE not in os.environ:
        os.environ[VARIABLE] = os.pathsep.join(f"{name}={path}" for name, path in libraries.items())
