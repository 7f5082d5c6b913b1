"""`edgefleet model sbom NAME VERSION | FOLDER`: the bill of materials of a package, in CycloneDX."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.package.manifest import digest_of, pack_descriptor
from edgefleet_server.cli.client import Client, add_server_arguments
from edgefleet_server.cli.package_folder import complete_manifest_of
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.domain.components.model_bill import model_bill
from edgefleet_server.registry.blob_store import describe_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("package", metavar="NAME|FOLDER", help="Model name, with VERSION; or a package folder with a model.toml")
    parser.add_argument("version", nargs="?", help="Version of a model of the registry; without it, a folder is read")
    parser.add_argument("--out", metavar="F", default="-", help="File to write (default: - for stdout)")
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the bill.

    Raises:
        EdgefleetError: there is no such package; the text says what to do.
    """
    return write_result(_bill(arguments), arguments.out)


def _bill(arguments: argparse.Namespace) -> bytes:
    if arguments.version is not None:
        with Client(arguments.server) as client:
            return bytes(client.models.get_model_sbom(arguments.package, arguments.version))
    folder = Path(arguments.package)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; specify NAME VERSION for a model of the registry")
    manifest = complete_manifest_of(folder)
    files = [describe_file(path, folder / path) for path in manifest.paths()]
    return model_bill(manifest, files, digest_of(pack_descriptor(manifest, files)))


def write_result(data: bytes, out: str) -> int:
    """Write `data` to a file, or to stdout for `-`; returns the exit code 0.

    Raises:
        StoreError: the disk refuses.
    """
    if out == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    try:
        write_atomic(Path(out), data)
    except StoreError as error:
        raise StoreError(f"{out}: {fault_text(error)}; choose another file with --out") from error
    return 0
