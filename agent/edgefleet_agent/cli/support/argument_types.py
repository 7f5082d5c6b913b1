"""Argument types that several commands share; argparse reports a wrong value before the command starts."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from edgefleet_agent.sources.redact import redact

THREADS_MAX = 256


def local_file(text: str) -> Path:
    """The path of a file, which need not exist; the address of a camera is refused."""
    if "://" in text:
        raise argparse.ArgumentTypeError(
            f"{redact(text)} is an address, but this command reads files: record a clip or image of it, or use it as the "
            "[source] of a pipeline for `edgefleet-agent run`"
        )
    return Path(text)


def count(text: str) -> int:
    """A whole number from 0 to 1024."""
    if not text.isascii() or not text.isdigit() or int(text) > 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 1024")
    return int(text)


def thread_count(text: str) -> int:
    """A whole number from 1 to 256."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= THREADS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {THREADS_MAX}")
    return int(text)


def parameter(text: str) -> tuple[str, Any]:
    """Parses `name=value`; the value is parsed as JSON if it is valid JSON, otherwise it is the text itself."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not name=value")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
