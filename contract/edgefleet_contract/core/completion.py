"""The command `completion` of both programs: scripts by which bash, zsh and fish complete commands, options and choices."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import shtab

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "program"
"""Attribute of the parsed arguments: the parser of the program, with every listed command loaded."""
_FILES = {"FILE", "FILE|DIR|-", "IMAGE", "SOURCE", "VIDEO"}
_FOLDERS = {"DIR", "FOLDER"}
"""Names of values in the help that are paths, where the type does not say so."""
_NOTHING = {"zsh": "( )"}
"""A value that no shell knows. Zsh completes no option before an argument without any action."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the argument of the command."""
    parser.add_argument("shell", choices=SHELLS, help="Shell that the script is for; see docs/start.md for its folder")


def run(arguments: argparse.Namespace) -> int:
    """Print the script. It names what this version has; it starts nothing when a key is pressed."""
    program: argparse.ArgumentParser = getattr(arguments, PROGRAM)
    _mark(program)
    print(shtab.complete(program, shell=arguments.shell))
    return 0


def _mark(parser: argparse.ArgumentParser) -> None:
    """Mark the values of `parser` and of its sub-commands that are files or folders, for the shell to complete."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - nor a public name of this class
            for child in action.choices.values():
                _mark(child)
        elif action.choices is None and action.nargs != 0:
            if values := _values(action):
                action.complete = values  # type: ignore[attr-defined]  # shtab's own attribute
            if isinstance(action.metavar, str):
                action.metavar = action.metavar.replace(":", r"\:")  # it separates fields of zsh


def _values(action: argparse.Action) -> Mapping[str, object]:
    """The values of an option or argument, for each shell."""
    if action.metavar in _FOLDERS:
        return shtab.DIRECTORY
    if action.metavar in _FILES or action.type is Path:
        return shtab.FILE
    return {} if action.option_strings else _NOTHING
