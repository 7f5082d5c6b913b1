"""Options and argument forms that several commands share."""

from __future__ import annotations

import argparse
from typing import Final

from edgefleet_server.core.errors import InputError

REPEATABLE: Final = "(repeatable)"
DEVICE: Final = "Device ID, as listed by `edgefleet device list`"


def add_selector_arguments(parser: argparse.ArgumentParser) -> None:
    """`--device`, `--group` and `--label`, which select devices."""
    selected = parser.add_argument_group("devices (default: all)")
    selected.add_argument("--device", action="append", metavar="ID", help=f"Device ID {REPEATABLE}")
    selected.add_argument("--group", help="Group name, as listed by `edgefleet group list`")
    selected.add_argument("--label", action="append", metavar="K=V", help=f"Label; all must match {REPEATABLE}")


def package_of(text: str) -> tuple[str, str]:
    """Parse `NAME@VERSION`.

    Raises:
        InputError: not of that form.
    """
    package, at, version = text.partition("@")
    if not at or not package or not version:
        raise InputError(f"{text!r}: must be NAME@VERSION; `edgefleet model list` lists the versions")
    return package, version
