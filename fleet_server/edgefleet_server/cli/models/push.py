"""`edgefleet model push DIR`: upload in pieces with a progress bar; an interrupted upload is resumed, also by a later run."""

from __future__ import annotations

import argparse
import hashlib
import tarfile
import tempfile
import time
from pathlib import Path
from typing import IO, Any, Final

from edgefleet_contract.encoding.sizes import size
from edgefleet_server.cli.client import Client, print_json
from edgefleet_server.cli.package_folder import complete_manifest_of
from edgefleet_server.core.errors import ConflictError, UnavailableError
from edgefleet_server.model_tools.progress_bar import Progress

SPOOL_BYTES: Final = 16 * 1024 * 1024
PIECE_BYTES: Final = 4 * 1024 * 1024
READ_BYTES: Final = 1024 * 1024
TRIES: Final = 8
"""Limit of consecutive tries without progress; the pauses between them grow, to a minute in total."""
WAIT_S: Final = 0.5


def push(client: Client, folder: Path) -> tuple[bool, dict[str, Any]]:
    """Upload the package in `folder`; returns (whether it is new to the registry, its entry in the registry).

    Raises:
        InputError: it is not a package, or a file that the manifest names is missing. EdgefleetError: the server's error.
    """
    with tempfile.SpooledTemporaryFile(SPOOL_BYTES) as spool:
        label = pack(folder, spool)
        length, sha256 = _measured(spool)
        state = client.post("/uploads", {"length_bytes": length, "sha256": sha256})
        with Progress(f"pushing {label}", length, is_bytes=True) as bar:
            _send(client, spool, state, bar)
        status, version = client.finish(f"/uploads/{state['id']}/finish")
    return status == 201, version


def pack(folder: Path, spool: IO[bytes]) -> str:
    """Write the tar of a package folder, with the same bytes at every call, because an upload can be resumed only with identical
    bytes. Returns its name and version.

    Raises:
        InputError: it is not a package, or a file that the manifest names is missing.
    """
    manifest = complete_manifest_of(folder)
    with tarfile.open(fileobj=spool, mode="w", dereference=True) as archive:
        for path in manifest.paths():
            archive.add(folder / path, path, recursive=False, filter=_plain)
    return manifest.id


def run(client: Client, arguments: argparse.Namespace) -> int:
    """Run the command."""
    is_new, version = push(client, arguments.folder)
    if arguments.json:
        print_json(version)
    else:
        outcome = "pushed" if is_new else "is already in the registry"
        print(
            f"{version['name']}@{version['version']} {outcome}: {size(version['length_bytes'])}, digest {version['digest'][:12]}"
        )
    return 0


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime = member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o644
    return member


def _measured(spool: IO[bytes]) -> tuple[int, str]:
    length, digest = spool.tell(), hashlib.sha256()
    spool.seek(0)
    while data := spool.read(READ_BYTES):
        digest.update(data)
    return length, digest.hexdigest()


def _send(client: Client, spool: IO[bytes], state: dict[str, Any], bar: Progress) -> None:
    """Send all pieces; after a lost connection, continue at the offset of the server."""
    path, length, failures = f"/uploads/{state['id']}", state["length_bytes"], 0
    piece = min(PIECE_BYTES, state["piece_bytes_max"])
    offset = int(state["offset_bytes"])
    while offset < length:
        bar.to(offset)
        spool.seek(offset)
        try:
            offset = int(client.patch_bytes(path, spool.read(piece), offset_bytes=offset)["offset_bytes"])
            failures = 0
        except (UnavailableError, ConflictError):
            failures += 1
            if failures >= TRIES:
                raise
            time.sleep(min(WAIT_S * 2**failures, 15.0))
            before, offset = offset, _offset(client, path, offset)
            failures = 0 if offset > before else failures
    bar.to(length)


def _offset(client: Client, path: str, known: int) -> int:
    try:
        return int(client.get(path)["offset_bytes"])
    except UnavailableError:
        return known
