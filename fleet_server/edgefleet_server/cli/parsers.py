"""Argument parsers with help texts of one form."""

from __future__ import annotations

import argparse
from typing import Any, Final

REPEATABLE: Final = "(repeatable)"


class CommandParser(argparse.ArgumentParser):
    """Parser of a command; those of its sub-commands are of the same class."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "add_help": False})
        self.add_argument("-h", "--help", action="help", help="Show this help message and exit")


def add_command(commands: Any, name: str, summary: str, example: str = "") -> argparse.ArgumentParser:
    """Add a sub-command. Its summary is in the list of its parent and in its own help, which ends with the example."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=summary, epilog=f"Example: {example}" if example else None
    )
    return parser


def add_selector_arguments(parser: argparse.ArgumentParser) -> None:
    """`--device`, `--group` and `--label`, which select devices."""
    selected = parser.add_argument_group("devices (default: all)")
    selected.add_argument("--device", action="append", metavar="ID", help=f"Device ID {REPEATABLE}")
    selected.add_argument("--group", help="Group name, as listed by `edgefleet group list`")
    selected.add_argument("--label", action="append", metavar="K=V", help=f"Label; all must match {REPEATABLE}")
