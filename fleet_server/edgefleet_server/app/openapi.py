"""`edgefleet openapi [FILE]`: writes the API's OpenAPI document, from which clients are generated."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from edgefleet_server.app.web import create_app
from edgefleet_server.core.settings import Settings


def document() -> str:
    """The OpenAPI document as text, with sorted keys, so that a text comparison shows real changes only."""
    return json.dumps(create_app(Settings()).openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", nargs="?", type=Path, help="Output file (default: stdout)")


def run(arguments: argparse.Namespace) -> int:
    """Write the document."""
    if arguments.file is None:
        sys.stdout.write(document())
    else:
        arguments.file.write_text(document(), encoding="utf-8")
    return 0
