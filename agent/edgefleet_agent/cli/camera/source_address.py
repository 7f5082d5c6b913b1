"""The source of a pipeline from one argument: a file, a folder of pictures, a camera's device or its address."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal

from edgefleet_agent.core import plugins
from edgefleet_agent.sources.cameras.images import SUFFIXES
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.core.errors import InputError, MediaError
from edgefleet_contract.core.questions import STDIN, read_secret
from edgefleet_contract.pipeline.spec import SourceSpec

KINDS_OF_SCHEMES = {"rtsp": "rtsp", "rtsps": "rtsp", "http": "mjpeg", "https": "mjpeg"}
RECORDED = ("file", "images")
"""Kinds of sources that end."""
KNOWN = "a video file, a folder of pictures, /dev/video0, rtsp://... or http://... (MJPEG)"


def add_source_arguments(parser: argparse._ActionsContainer) -> None:
    """Add the source and the option for one with a password."""
    kinds = "Video file, folder of pictures, /dev/video0, rtsp://... or http://..."
    parser.add_argument("source", metavar="SOURCE", nargs="?", help=f"{kinds}; - reads it from stdin")
    parser.add_argument("--source-file", metavar="FILE", help="File with SOURCE, for an address with a password; - = stdin")


def source_address(arguments: argparse.Namespace) -> str:
    """The source that the arguments name.

    Raises:
        InputError: none, two, or the file cannot be read.
    """
    source, file = arguments.source, arguments.source_file
    if (source is None) == (file is None):
        raise InputError(f"SOURCE or --source-file is needed; give {KNOWN}")
    if file is not None or source == STDIN:
        return read_secret("--source-file", STDIN if file is None else file)
    return str(source)


def source_of(text: str, pace: Literal["realtime", "fast"] = "fast") -> SourceSpec:
    """The source that `text` names; `pace` is that of a file or folder, a camera has its own.

    Raises:
        InputError: nothing that can be read as a source; the text says what can. MediaError: no such file.
    """
    scheme, separator, _ = text.partition("://")
    if separator:
        kind = KINDS_OF_SCHEMES.get(scheme.lower())
        if kind is None:
            raise InputError(f"{redact(text)}: unknown kind of address; give {KNOWN}")
        source = SourceSpec(kind=kind, uri=text)
    elif text.startswith("/dev/"):
        source = SourceSpec(kind="camera", uri=text)
    else:
        source = _recorded(Path(text), pace)
    plugins.load("sources", source.kind)(source)  # refuses a wrong address
    return source


def _recorded(path: Path, pace: Literal["realtime", "fast"]) -> SourceSpec:
    if path.is_dir():
        return SourceSpec(kind="images", uri=str(path), pace=pace)
    if not path.exists():
        raise MediaError(f"{path}: no such file or folder; give {KNOWN}")
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        raise InputError(f"{path}: is one picture; use `edgefleet-agent infer {path} --model FILE`, or give a folder of pictures")
    if suffix == ".csv":
        raise InputError(f"{path}: is a time series; use `edgefleet-agent analyze {path} --pipeline FILE`, or give {KNOWN}")
    return SourceSpec(kind="file", uri=str(path), pace=pace)
