"""`edgefleet-agent init`: writes agent.toml and the pipeline of a camera, with which the service can start."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import socket
import sys
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.cli.camera.init_files import NewDevice, pipeline_text, settings_text
from edgefleet_agent.cli.camera.model_choice import package_folder
from edgefleet_agent.cli.camera.quick_pipeline import classes_argument, line_argument
from edgefleet_agent.cli.camera.source_address import RECORDED, source_of
from edgefleet_agent.pipeline.model.loaded_model import read_package
from edgefleet_agent.pipeline.model.text_files import read_labels
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_contract.core.command_line import add_secret_option, fraction
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.pipeline.spec import SourceSpec

SETTINGS, PIPELINES = "agent.toml", "pipelines"
PIPELINE = "camera"
_NAME = re.compile(r"^[a-z0-9][a-z0-9_-]{0,63}$")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `init`."""
    add_secret_option(
        parser,
        "--camera",
        "Camera, rtsp://..., http://... (MJPEG) or /dev/video0; or a video file",
        metavar="SOURCE",
        required=True,
    )
    parser.add_argument(
        "--package",
        required=True,
        metavar="DIR",
        help="Package folder of the detector, or name of a model that `edgefleet model fetch` has downloaded",
    )
    parser.add_argument("--folder", type=Path, default=Path(), metavar="DIR", help="Folder of the files (default: this one)")
    parser.add_argument(
        "--pipeline", type=name_argument, default=PIPELINE, metavar="NAME", help="Name of the pipeline (default: %(default)s)"
    )
    parser.add_argument("--device", type=name_argument, metavar="NAME", help="ID of the device (default: from the host name)")
    parser.add_argument(
        "--line", type=line_argument, metavar="X1,Y1,X2,Y2", help="Line whose crossings are counted, in fractions, as in `try`"
    )
    parser.add_argument("--classes", type=classes_argument, default=[], metavar="A,B", help="Labels that count (default: all)")
    parser.add_argument(
        "--min-score", type=fraction, default=0.5, metavar="S", help="Confidence threshold of detections (default: %(default)s)"
    )
    parser.add_argument("--force", action="store_true", help="Replace files that exist")


def name_argument(text: str) -> str:
    """Parse a name of a device or pipeline; an argument type."""
    if not _NAME.match(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a name: a-z, 0-9, _ and -, 64 characters at most")
    return text


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and print the next two commands."""
    folder: Path = arguments.folder
    settings, pipeline = folder / SETTINGS, folder / PIPELINES / f"{arguments.pipeline}.toml"
    package = package_folder(arguments.package)
    _check_package(package, arguments.classes)
    source = _absolute(source_of(arguments.camera))
    new = NewDevice(
        device=arguments.device or device_name(socket.gethostname()),
        pipeline=arguments.pipeline,
        source=source,
        package=_as_written(package, folder),
        line=arguments.line,
        classes=arguments.classes,
        min_score=arguments.min_score,
    )
    there = [str(path) for path in (settings, pipeline) if path.exists()]
    if there and not arguments.force:
        raise InputError(f"{' and '.join(there)}: exists already; use --force to replace, or another --folder")
    make_folder(pipeline.parent)
    secret = has_password(source.uri)
    write_atomic(settings, settings_text(new, settings).encode())
    write_atomic(pipeline, pipeline_text(new, pipeline).encode(), mode=0o600 if secret else 0o644)
    for path in (settings, pipeline):
        print(f"wrote {path}")
    if secret:
        text = "holds the camera's password: only its owner may read it; `credentials` keeps it elsewhere (docs/pipelines.md)"
        print(f"edgefleet-agent: {pipeline} {text}", file=sys.stderr)
    print(f"edgefleet-agent check {shlex.quote(str(settings))}")
    print(f"edgefleet-agent run --config {shlex.quote(str(settings))}")
    return 0


def device_name(host: str) -> str:
    """A host name as the ID of a device."""
    return re.sub(r"[^a-z0-9_-]", "-", host.lower()).strip("-_")[:64] or "device"


def has_password(uri: str) -> bool:
    """Whether an address contains a login or a token."""
    return redact(uri) != uri


def _check_package(package: Path, classes: list[str]) -> None:
    """Check that the package is a detector with these labels.

    Raises:
        InputError: it is not.
    """
    manifest = read_package(package)
    if manifest.task != "detection":
        raise InputError(f"{package}: does {manifest.task}, which is no detection; give the package of a detector")
    labels = tuple(manifest.labels) or read_labels(package / manifest.labels_file if manifest.labels_file else None)
    missing = next((name for name in classes if name not in labels), None)
    if missing is not None:
        some = ", ".join(labels[:12]) + (", ..." if len(labels) > 12 else "")
        raise InputError(f"--classes {missing}: {manifest.id} has no such label; it has {some or 'none'}")


def _absolute(source: SourceSpec) -> SourceSpec:
    """A file's or folder's path holds from every folder in which the service starts."""
    return replace(source, uri=str(Path(source.uri).resolve())) if source.kind in RECORDED else source


def _as_written(package: Path, folder: Path) -> str:
    """The path of the package in agent.toml, which is relative to its folder: so it stays if both are in it, otherwise it is
    absolute."""
    path, base = package.resolve(), folder.resolve()
    return os.path.relpath(path, base) if path.is_relative_to(base) else str(path)
