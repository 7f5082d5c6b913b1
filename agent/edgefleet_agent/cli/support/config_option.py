"""The option that names the agent's settings file."""

from __future__ import annotations

import argparse
from pathlib import Path

from edgefleet_agent import settings as configuration


def add_config_option(parser: argparse._ActionsContainer) -> None:
    """Add `--config`, the settings file to read."""
    parser.add_argument(
        "--config",
        type=Path,
        default=configuration.default_path(),
        metavar="F",
        help=f"Settings file (TOML) (default: ${configuration.CONFIG_VARIABLE}, or {configuration.SYSTEM_FILE})",
    )
