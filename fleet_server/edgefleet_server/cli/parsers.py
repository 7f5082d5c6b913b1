"""Options that several commands share."""

from __future__ import annotations

import argparse
from typing import Final

REPEATABLE: Final = "(repeatable)"


def add_selector_arguments(parser: argparse.ArgumentParser) -> None:
    """`--device`, `--group` and `--label`, which select devices."""
    selected = parser.add_argument_group("devices (default: all)")
    selected.add_argument("--device", action="append", metavar="ID", help=f"Device ID {REPEATABLE}")
    selected.add_argument("--group", help="Group name, as listed by `edgefleet group list`")
    selected.add_argument("--label", action="append", metavar="K=V", help=f"Label; all must match {REPEATABLE}")
