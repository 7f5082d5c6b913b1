"""`edgefleet sign FOLDER… --key F [--renew]`: put packages under the signature of a key that the server does not have.

What is signed is what lies in FOLDER here, not what the server says it has: a server that was taken over gets nothing signed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from agent.contract.manifest import MANIFEST_FILE, digest_of, pack_descriptor, read_manifest
from fleet_server.cli.client import Client, add_server_arguments, print_json
from fleet_server.errors import InputError
from fleet_server.registry.blobs import describe_file
from fleet_server.registry.trust import Package, next_targets, signed_by
from fleet_server.registry.trust_keys import load_signer, sign


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="package folders, each with its model.toml")
    parser.add_argument("--key", type=Path, required=True, metavar="F", help="the targets key, as `edgefleet trust key` wrote it")
    parser.add_argument("--renew", action="store_true", help="sign the list again as it is, for another year")
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sign, and hand the signature to the server.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if not arguments.folders and not arguments.renew:
        raise InputError("nothing to sign; give package folders, or --renew")
    client, signer = Client(arguments.server), load_signer(arguments.key)
    parts = [describe(folder) for folder in arguments.folders]
    data = client.fetch("/trust/targets.json")
    if not signed_by(data, signer.public_key):
        raise InputError(
            f"the server's list of packages is not signed by {arguments.key}; `edgefleet trust rotate targets --key`"
        )
    answer: Any = client.post("/trust/targets", {"metadata": sign(next_targets(data, parts), signer).decode()})
    if arguments.json:
        print_json(answer)
        return 0
    for part in parts:
        print(f"{part.name}@{part.version} is signed: digest {part.digest[:12]}, epoch {part.epoch}")
    waiting = ", ".join(f"{row['name']}@{row['version']}" for row in answer["waiting"])
    print(f"{len(answer['signed'])} packages are signed" + (f"; not signed: {waiting}" if waiting else ""))
    return 0


def describe(folder: Path) -> Package:
    """What is signed of the package in `folder`.

    Raises:
        InputError: it is no package, or a file of it is missing.
    """
    file = folder / MANIFEST_FILE
    if not file.is_file():
        raise InputError(f"{folder} has no {MANIFEST_FILE}; give the folder of one version, firmware_models/NAME/VERSION")
    manifest = read_manifest(file.read_text(encoding="utf-8"), str(file))
    absent = next((path for path in manifest.paths() if not (folder / path).is_file()), None)
    if absent is not None:
        raise InputError(f"{file} names {absent!r}, which is not there; add the file or correct the manifest")
    descriptor = pack_descriptor(manifest, [describe_file(path, folder / path) for path in manifest.paths()])
    return Package(manifest.name, manifest.version, digest_of(descriptor), len(descriptor), manifest.epoch)
