"""`edgefleet model fetch NAME`: a public model from the web, as a package."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from edgefleet_server.cli.client import print_json
from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.model_tools.catalogue.entries import entries
from edgefleet_server.model_tools.catalogue.fetch import cache_folder
from edgefleet_server.model_tools.catalogue.package import make_package
from edgefleet_server.model_tools.progress_bar import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("name", help="`edgefleet model catalogue` lists them")
    parser.add_argument("--catalogue", type=Path, metavar="FILE|DIR", help="entries of your own, beside ours")
    parser.add_argument("--into", type=Path, default=Path("firmware_models"), metavar="DIR", help="default: %(default)s")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    found = entries(arguments.catalogue)
    entry = found.get(arguments.name)
    if entry is None:
        raise NotFoundError(f"no {arguments.name!r} in the catalogue; it has {', '.join(found)}")
    folder = make_package(entry, arguments.into, cache_folder(), partial(Progress, is_bytes=True))
    if arguments.json:
        print_json({"id": entry.manifest.id, "folder": str(folder), "length_bytes": entry.length})
    else:
        print(f"{folder}: {entry.manifest.id}, {entry.length / 1e6:.1f} MB, every SHA-256 as in the catalogue")
        print(f"next: edgefleet model validate {folder}")
    return 0
