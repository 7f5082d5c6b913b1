"""`edgefleet-agent patch`: internal; builds parts of new files from local files by a delta manifest.

It is a separate process because numpy would enlarge the supervisor. Its output is untrusted; the store verifies every block.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error, read_if_there
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.package.delta import DELTA_BYTES_MAX, DeltaManifest, file_chunks
from edgefleet_contract.wire.messages import BLOCK_BYTES

FILE_BYTES_MAX = 512 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `patch`."""
    parser.add_argument("--delta", type=Path, required=True, help="Delta manifest")
    parser.add_argument("--into", type=Path, required=True, metavar="DIR", help="Output folder")
    parser.add_argument("--files", nargs="+", required=True, metavar="SHA256", help="Files to create")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="Folders with existing files")


def run(arguments: argparse.Namespace) -> int:
    """Write the files and print the number of filled bytes.

    Raises:
        EdgefleetError: the delta manifest is invalid, or the disk cannot be used.
    """
    data = read_if_there(arguments.delta, DELTA_BYTES_MAX)
    if data is None:
        raise InputError(f"no delta manifest at {arguments.delta}")
    delta = decode(data, DeltaManifest, bytes_max=DELTA_BYTES_MAX)
    here = index(arguments.folders)
    filled = 0
    with as_store_error(arguments.into):
        arguments.into.mkdir(parents=True, exist_ok=True)
        for sha256 in arguments.files:
            filled += put_together(delta.files.get(sha256, []), here, arguments.into / sha256)
    print(filled)
    return 0


def index(folders: list[Path]) -> dict[str, tuple[Path, int]]:
    """Name of a chunk -> (file, offset), for all files in `folders`."""
    found: dict[str, tuple[Path, int]] = {}
    for path in _files(folders):
        with path.open("rb") as file:
            for at, _, name in file_chunks(file):
                found.setdefault(name, (path, at))
    return found


def put_together(parts: list[tuple[int, str]], here: dict[str, tuple[Path, int]], into: Path) -> int:
    """Write the available chunks to their positions; the rest stays a hole. Returns the bytes of completely filled blocks."""
    if not parts or sum(length for length, _ in parts) > FILE_BYTES_MAX:
        return 0
    at, filled = 0, []
    with into.open("wb") as file:
        for length, name in parts:
            if name in here:
                source, offset = here[name]
                with source.open("rb") as old:
                    old.seek(offset)
                    file.seek(at)
                    file.write(old.read(length))
                filled.append((at, at + length))
            at += length
        file.truncate(at)
        file.flush()
        os.fsync(file.fileno())
    return _whole_blocks(filled, at) * BLOCK_BYTES


def _whole_blocks(filled: list[tuple[int, int]], total: int) -> int:
    """Number of blocks inside the filled ranges, which are in order."""
    joined: list[tuple[int, int]] = []
    for first, last in filled:
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    ends = ((first, total if last == total else last) for first, last in joined)
    return sum(
        max(0, -(-last // BLOCK_BYTES if last == total else last // BLOCK_BYTES) - -(-first // BLOCK_BYTES))
        for first, last in ends
    )


def _files(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.stat().st_size <= FILE_BYTES_MAX:
                yield path
