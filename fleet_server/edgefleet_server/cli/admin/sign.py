"""`edgefleet sign FOLDER… --key F [--renew]`: signs packages with a key that the server does not have.

The signature covers the files in the local FOLDER, not those that the server reports: a compromised server cannot get its own
files signed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from edgefleet_contract.package.manifest import digest_of, pack_descriptor
from edgefleet_server.cli.client import Client, add_server_arguments, print_json
from edgefleet_server.cli.package_folder import complete_manifest_of
from edgefleet_server.cli.parsers import REPEATABLE
from edgefleet_server.core.errors import InputError, NotFoundError
from edgefleet_server.registry.blob_store import describe_file
from edgefleet_server.registry.signing.keys import Signer, add_signature, load_signer, sign
from edgefleet_server.registry.signing.signed_targets import SignedPackage, names, next_targets, signed_by


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="Package folder with a model.toml")
    parser.add_argument(
        "--key",
        type=Path,
        action="append",
        required=True,
        metavar="F",
        help=f"Private key from `edgefleet trust key` {REPEATABLE}",
    )
    parser.add_argument("--team", default="targets", metavar="T", help="Team to sign for (default: the repository itself)")
    parser.add_argument(
        "--half",
        type=Path,
        metavar="F",
        help="Write partially signed metadata to this file instead of sending it, for further signatures",
    )
    parser.add_argument(
        "--take", type=Path, metavar="F", help="Add a signature to a file written by --half, then send it (or use --half again)"
    )
    parser.add_argument("--renew", action="store_true", help="Sign the unchanged package list again, to extend it by a year")
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sign, and send the signature to the server.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if not arguments.folders and not arguments.renew and arguments.take is None:
        raise InputError("nothing to sign; specify package folders, --renew or --take")
    client, signers = Client(arguments.server), [load_signer(file) for file in arguments.key]
    parts = [describe(folder) for folder in arguments.folders]
    data = taken(arguments.take, parts, signers) if arguments.take is not None else fresh(client, arguments.team, parts, signers)
    if arguments.half is not None:
        arguments.half.write_bytes(data)
        print(f"{arguments.half}: signed with {len(signers)} keys; next: edgefleet sign FOLDER --take {arguments.half} --key F")
        return 0
    answer = client.trust.post_signed_targets({"metadata": data.decode(), "role": arguments.team})
    if arguments.json:
        print_json(answer)
        return 0
    for part in parts:
        print(f"{part.name}@{part.version} signed: digest {part.digest[:12]}, epoch {part.epoch}")
    waiting = ", ".join(f"{row['name']}@{row['version']}" for row in answer["waiting"])
    print(f"{len(answer['signed'])} packages signed" + (f"; not signed: {waiting}" if waiting else ""))
    return 0


def fresh(client: Client, team: str, parts: list[SignedPackage], signers: list[Signer]) -> bytes:
    """The next version of the server's list of packages, signed.

    Raises:
        InputError: none of the keys has signed the server's list; it may have been replaced.
    """
    try:
        data = client.trust.get_trust_metadata(team)
    except NotFoundError:
        if team == "targets":
            raise
        return sign(next_targets(None, parts), *signers)
    if not any(signed_by(data, signer.public_key) for signer in signers):
        remedy = "edgefleet trust rotate targets --key F" if team == "targets" else f"edgefleet trust delegate {team} …"
        raise InputError(f"the package list of the server is not signed with your keys; replace its keys with `{remedy}`")
    return sign(next_targets(data, parts), *signers)


def taken(file: Path, parts: list[SignedPackage], signers: list[Signer]) -> bytes:
    """Metadata that has signatures from elsewhere, with those of `signers` added.

    Raises:
        InputError: its entries differ from the packages in the local folders.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; specify a file written by --half") from error
    for signer in signers:
        data = add_signature(data, signer)
    differs = next((part for part in parts if not names(data, part)), None)
    if differs is not None:
        raise InputError(f"{file}: {differs.path} differs from the local package; do not sign it")
    return data


def describe(folder: Path) -> SignedPackage:
    """Signed properties of the package in `folder`.

    Raises:
        InputError: it is not a package, or a file of it is missing.
    """
    manifest = complete_manifest_of(folder)
    descriptor = pack_descriptor(manifest, [describe_file(path, folder / path) for path in manifest.paths()])
    return SignedPackage(manifest.name, manifest.version, digest_of(descriptor), len(descriptor), manifest.epoch)
