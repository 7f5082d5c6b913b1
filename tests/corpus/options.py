"""The options of `edgefleet serve`, which are the server's configuration: their names, values and what they default to."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any
from unittest import mock

from edgefleet_contract.core.command_line import finite
from edgefleet_server.app import serve
from tests.corpus.folder import write_json

FILE = "server-options.json"


def options() -> dict[str, dict[str, Any]]:
    """Each option as it is where no variable of the environment is set."""
    parser = argparse.ArgumentParser(add_help=False)
    with mock.patch.dict("os.environ", clear=True):
        serve.add_arguments(parser)
    return {name: _described(action) for action in parser._actions for name in action.option_strings}


def record(folder: Path) -> None:
    """Write the file."""
    write_json(folder / FILE, options())


def _described(action: argparse.Action) -> dict[str, Any]:
    default = action.default if isinstance(action.default, (str, int, float, bool, list, type(None))) else None
    choices = sorted(map(str, action.choices)) if action.choices is not None else []
    return {"takes_value": action.nargs != 0, "kind": _kind(action), "choices": dict.fromkeys(choices, True), "default": default}


def _kind(action: argparse.Action) -> str:
    """Name the type of a read value: the function that reads it is no part of the format."""
    if action.type is None:
        return "text"
    if action.type is finite:
        return "float"
    if not isinstance(action.type, type) and isinstance(action.default, (str, type(None))):
        return "text"
    return action.type.__name__ if isinstance(action.type, type) else type(action.default).__name__
