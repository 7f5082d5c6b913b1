"""The argument parser of all commands, with help texts in one style."""

from __future__ import annotations

import argparse
from typing import Any


class HelpParser(argparse.ArgumentParser):
    """An `ArgumentParser` whose `--help` has a capital like all other options. Parsers of subcommands are of this class, too."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "add_help": False})
        self.add_argument("-h", "--help", action="help", help="Show this help message and exit")
