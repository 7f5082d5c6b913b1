"""Argument parsers of both programs, with help texts of one form."""

from __future__ import annotations

import argparse
from typing import Any


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


def fraction(text: str) -> float:
    """Parse a number from 0 to 1; an argument type."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value
