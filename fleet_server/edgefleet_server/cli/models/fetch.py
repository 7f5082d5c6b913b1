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
    parser.add_argument("name", help="Model name, as listed by `edgefleet model catalogue`")
    parser.add_argument("--catalogue", type=Path, metavar="FILE|DIR", help="Additional catalogue file or folder")
    parser.add_argument(
        "--into",
        type=Path,
        default=Path("firmware_models"),
        metavar="DIR",
        help="Folder of the new package (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    found = entries(arguments.catalogue)
    entry = found.get(arguments.name)
    if entry is None:
        raise NotFoundError(f"no model {arguments.name!r} in the catalogue; must be one of {', '.join(found)}")
    folder = make_package(entry, arguments.into, cache_folder(), partial(Progress, is_bytes=True, quiet=arguments.json))
    if arguments.json:
        print_json({"id": entry.manifest.id, "folder": str(folder), "length_bytes": entry.length})
    else:
        print(f"{folder}: {entry.manifest.id}, {entry.length / 1e6:.1f} MB, all SHA-256 checksums match")
        is_detector = entry.manifest.task == "detection"
        print(f"next: edgefleet-agent try VIDEO --model {folder}" if is_detector else f"next: edgefleet model validate {folder}")
    return 0
