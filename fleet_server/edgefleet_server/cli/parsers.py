"""Options and argument forms that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from edgefleet_server.core.errors import InputError
from edgefleet_server.core.settings import DATA_VARIABLE, configured_data_folder, default_data_folder

AGE_S_MAX: Final = 3_650 * 86_400.0
"""Largest age by which lists are filtered."""
REPEATABLE: Final = "(repeatable)"
DEVICE: Final = "Device ID, as listed by `edgefleet device list`"


def add_query_argument(parser: argparse._ActionsContainer) -> None:
    """`--query`, which selects devices."""
    text = "Devices that match; with --label, those with the labels, too: docs/server.md#queries"
    parser.add_argument("--query", metavar="QUERY", help=text)


def add_selector_arguments(parser: argparse.ArgumentParser) -> None:
    """`--device`, `--group`, `--label` and `--query`, which select devices."""
    selected = parser.add_argument_group("devices (default: all)")
    selected.add_argument("--device", action="append", metavar="ID", help=f"Device ID {REPEATABLE}")
    selected.add_argument("--group", help="Group name, as listed by `edgefleet group list`")
    selected.add_argument("--label", action="append", metavar="K=V", help=f"Label; all must match {REPEATABLE}")
    add_query_argument(selected)


class Given(argparse.Action):
    """Stores the value of an option, and that it was given: `NAME_given` is set."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002 (argparse's signature)
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        setattr(namespace, self.dest, values)
        setattr(namespace, f"{self.dest}_given", True)


def add_data_argument(parser: argparse._ActionsContainer, what: str) -> None:
    """`--data` of a command that works on the data folder of a server; `what`: its help text without the default."""
    text = f"{what} (default: ${DATA_VARIABLE} or %(default)s)"
    parser.add_argument("--data", type=Path, default=default_data_folder(), metavar="DIR", help=text)


def add_instead_argument(parser: argparse._ActionsContainer, what: str) -> None:
    """`--data` of a command that asks a server, or works on its data folder; `what`: its help text without the default.
    `local_data` has the folder."""
    text = f"{what} (default: ${DATA_VARIABLE}, unless --server is given)"
    parser.add_argument("--data", type=Path, default=configured_data_folder(), metavar="DIR", action=Given, help=text)


def local_data(arguments: argparse.Namespace) -> Path | None:
    """The data folder that a command works on; None: it asks a server. A given option goes before the environment."""
    if getattr(arguments, "server_given", False) and not getattr(arguments, "data_given", False):
        return None
    data: Path | None = arguments.data
    return data


def package_of(text: str) -> tuple[str, str]:
    """Parse `NAME@VERSION`.

    Raises:
        InputError: not of that form.
    """
    package, at, version = text.partition("@")
    if not at or not package or not version:
        raise InputError(f"{text!r}: must be NAME@VERSION; `edgefleet model list` lists the versions")
    return package, version
