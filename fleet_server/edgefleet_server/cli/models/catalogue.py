"""`edgefleet model catalogue`: well-known public models."""

from __future__ import annotations

import argparse
from pathlib import Path

from edgefleet_server.cli.client import print_json, print_table
from edgefleet_server.model_tools.catalogue.entries import entries


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("--catalogue", type=Path, metavar="FILE|DIR", help="Additional catalogue file or folder")
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    found = entries(arguments.catalogue)
    if arguments.json:
        rows = [
            {
                **{
                    name: getattr(entry.manifest, name) for name in ("name", "version", "title", "task", "description", "licence")
                },
                "length_bytes": entry.length,
                "variants": [variant.name for variant in entry.manifest.variants],
                "files": [{"path": each.path, "url": each.url, "sha256": each.sha256} for each in entry.download],
            }
            for entry in found.values()
        ]
        print_json({"items": rows})
        return 0
    headings = ("NAME", "TASK", "SIZE", "LICENCE", "VARIANTS", "TITLE")
    print_table(
        headings,
        [
            (
                *(name, entry.manifest.task, f"{entry.length / 1e6:.1f} MB", entry.manifest.licence),
                *(", ".join(variant.name for variant in entry.manifest.variants), entry.manifest.title),
            )
            for name, entry in found.items()
        ],
    )
    print("\nnext: edgefleet model fetch NAME")
    return 0
