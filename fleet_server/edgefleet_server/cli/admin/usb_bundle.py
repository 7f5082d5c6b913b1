"""`edgefleet bundle export NAME VERSION --out DIR`: a package with its signatures in a folder, for a USB stick.

`edgefleet-agent bundle import` installs it on the device.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from pathlib import Path

from edgefleet_contract.core.atomic_files import move_folder
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.messages import MetadataFile, SlotTarget
from edgefleet_server.cli.client import Client, add_server_arguments, print_json
from edgefleet_server.core.errors import InputError, StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    export = add_command(
        commands,
        "export",
        "Export a package, its files and signatures to a folder",
        "edgefleet bundle export conveyor_inspector 1.1.0 --out /media/usb",
    )
    export.add_argument("name", help="Package name")
    export.add_argument("version", help="Package version")
    export.add_argument("--out", type=Path, required=True, metavar="DIR", help="Parent folder of the new folder NAME-VERSION")
    add_server_arguments(export)


def run(arguments: argparse.Namespace) -> int:
    """Fetch, verify and write every blob and the signed metadata.

    Raises:
        EdgefleetError: the text says what to do.
    """
    folder = arguments.out / f"{arguments.name}-{arguments.version}"
    if folder.exists():
        raise InputError(f"{folder} already exists; delete it, or choose another folder with --out")
    size, count = export_bundle(Client(arguments.server), arguments.name, arguments.version, folder)
    if arguments.json:
        print_json({"folder": str(folder), "bytes": size, "blobs": count})
    else:
        print(f"{folder}: {count} files, {size / 1e6:.1f} MB; on the device: edgefleet-agent bundle import {folder.name}")
    return 0


def export_bundle(client: Client, name: str, version: str, folder: Path) -> tuple[int, int]:
    """Export a package to the new `folder`; returns (bytes, files) written.

    Raises:
        EdgefleetError: the server has no such package, or the disk refuses.
    """
    model = client.models.get_model(name, version)
    offered = client.trust.get_trust_files()
    blobs = [model["digest"], *(file["sha256"] for file in model["files"])]
    beside = folder.with_name(f".{folder.name}.new")
    size = 0
    try:
        (beside / BLOBS_FOLDER).mkdir(parents=True)
        for digest in dict.fromkeys(blobs):
            data = client.models.get_blob(digest)
            if hashlib.sha256(data).hexdigest() != digest:
                raise InputError(f"blob {digest[:12]}: the SHA-256 does not match; try again")
            (beside / BLOBS_FOLDER / digest).write_bytes(data)
            size += len(data)
            length = len(data) if digest == model["digest"] else 0
            if length:
                target = SlotTarget(package=name, version=version, digest=digest, length=length)
        trust = []
        for file in offered:
            data = file["text"].encode()
            digest = hashlib.sha256(data).hexdigest()
            (beside / BLOBS_FOLDER / digest).write_bytes(data)
            trust.append(MetadataFile(name=file["name"], digest=digest, length=len(data)))
            size += len(data)
        (beside / BUNDLE_FILE).write_bytes(encode(UsbBundle(target=target, trust=trust, made_at=time.time())))
        move_folder(beside, folder)
    except OSError as error:
        raise StoreError(f"cannot write {folder}: {error.strerror}; check free space") from error
    return size, len(set(blobs)) + len(trust) + 1
