"""Argument types that several commands share; argparse reports a wrong value before the command starts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from edgefleet_agent.core import plugins
from edgefleet_agent.machine.profiles import every_profile, find_profile
from edgefleet_agent.service.profile_choice import NONE
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.core.errors import InputError


def local_file(text: str) -> Path:
    """The path of a file, which need not exist; the address of a camera is refused."""
    if "://" in text:
        raise argparse.ArgumentTypeError(
            f"{redact(text)} is an address, but this command reads files: record a clip or image of it, or use it as the "
            "[source] of a pipeline for `edgefleet-agent run`"
        )
    return Path(text)


def check_no_file_options(package: Path, labels: Path | None, head: str | None, params: object) -> None:
    """Check that no option of a bare model file is given for a package.

    Raises:
        InputError: there is one.
    """
    if labels is not None or head or params:
        raise InputError(f"{package}: a package has its own labels and head; leave --labels, --head and --param out")


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """The type of a whole number from `low` to `high`."""

    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return parse


count = whole_number(0, 1024)
positive_count = whole_number(1, 1024)
megabytes = whole_number(0, 1024 * 1024)
thread_count = whole_number(1, 256)


def profile_name(text: str) -> str:
    """The name of a device profile, which exists."""
    if find_profile(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r}: no such device profile; known are {', '.join(every_profile())}")
    return text


def runtime_name(text: str) -> str:
    """The name of a runtime of the agent or of a plug-in, which need not be installed."""
    known = plugins.names("backends")
    if text not in known:
        raise argparse.ArgumentTypeError(f"{text!r}: no such runtime; known are {', '.join(known)}")
    return text


def profile_or_none(text: str) -> str:
    """The name of a device profile, or `none`."""
    return text if text == NONE else profile_name(text)


def parameter(text: str) -> tuple[str, Any]:
    """Parses `name=value`; the value is parsed as JSON if it is valid JSON, otherwise it is the text itself."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not name=value")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
