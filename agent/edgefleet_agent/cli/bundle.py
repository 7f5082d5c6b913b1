"""`edgefleet-agent bundle import PATH`: imports a package from a USB stick. The running service handles it like a received
one."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.enroll import as_owner
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_agent.updates.usb_import import FOLDER, SLOT_FILE
from edgefleet_contract.core.atomic_files import (
    as_store_error,
    make_folder,
    read_if_there,
    remove_folder,
    sync_folder,
    write_atomic,
)
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.core.errors import InputError, ManifestError, MessageError, StoreError
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX, decode, encode
from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.package.manifest import DESCRIPTOR_BYTES_MAX, read_descriptor
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle

MARGIN_BYTES = 32 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `bundle`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    summary = "Import a package from a folder, e.g. on a USB stick; the service then puts it on trial"
    example = "edgefleet-agent bundle import /media/stick --slot detector"
    take = add_command(actions, "import", summary, example)
    take.add_argument("path", type=Path, metavar="PATH", help="Folder made by `edgefleet bundle export`, or its parent folder")
    take.add_argument("--slot", default="detector", help="Slot for the package (default: %(default)s)")
    take.add_argument("--json", action="store_true", help="Print JSON")
    add_config_option(take)


def run(arguments: argparse.Namespace) -> int:
    """Copy the package into the state folder; the service decides whether it may run.

    Raises:
        EdgefleetError: the text gives the remedy; nothing has changed on this device then.
    """
    if re.match(NAME_PATTERN, arguments.slot) is None:
        raise InputError(f"--slot {arguments.slot!r}: not a valid slot name")
    state = Path(configuration.read_settings(arguments.config).state)
    place, bundle = find(arguments.path)
    copy(place, bundle, arguments.slot, state)
    target = bundle.target
    if arguments.json:
        row = {"package": target.package, "version": target.version, "digest": target.digest, "slot": arguments.slot}
        print(json_text(row, indent=1))
        return 0
    print(f"{target.package}@{target.version} imported; the service puts it on trial. Check: edgefleet-agent status")
    return 0


def find(path: Path) -> tuple[Path, UsbBundle]:
    """The bundle in a folder, or the only one below it.

    Raises:
        InputError: there is none, or several.
    """
    try:
        places = [path] if (path / BUNDLE_FILE).is_file() else sorted(file.parent for file in path.glob(f"*/{BUNDLE_FILE}"))
    except PermissionError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; run this as a user who may read it") from error
    if len(places) != 1:
        what = "no package" if not places else f"several packages: {', '.join(place.name for place in places)}"
        raise InputError(f"{path} contains {what}; specify a folder made by `edgefleet bundle export`")
    try:
        return places[0], decode(read_if_there(places[0] / BUNDLE_FILE, MESSAGE_BYTES_MAX) or b"", UsbBundle)
    except MessageError as error:
        raise InputError(f"{places[0] / BUNDLE_FILE}: {error}; export the bundle again") from error


def copy(place: Path, bundle: UsbBundle, slot: str, state: Path) -> None:
    """Copy the files named by the descriptor, and the metadata; other files on the stick are ignored. The files are opened as the
    user who runs this and written as the owner of the state folder, who may not be allowed to read the stick.

    Raises:
        InputError: a file is missing, or this user may not read it. StoreError: the disk is full.
    """
    with ExitStack() as opened:
        sources = _sources(place, bundle, opened)
        with as_owner(state):
            _store(sources, bundle, slot, state)


def _sources(place: Path, bundle: UsbBundle, opened: ExitStack) -> dict[str, IO[bytes]]:
    """The open files of a bundle, by digest."""
    try:
        head = read_if_there(place / BLOBS_FOLDER / bundle.target.digest, DESCRIPTOR_BYTES_MAX)
        descriptor = read_descriptor(head or b"")
    except (ManifestError, StoreError) as error:
        raise InputError(f"{place}: {error}; export the bundle again") from error
    required = {bundle.target.digest: bundle.target.length, **{file.digest: file.length for file in bundle.trust}}
    required |= {entry.sha256: entry.length for entry in descriptor.files}
    found: dict[str, IO[bytes]] = {}
    for digest, length in required.items():
        source = _opened(place / BLOBS_FOLDER / digest, length)
        if source is not None:
            found[digest] = opened.enter_context(source)
    absent = [digest for digest in required if digest not in found]
    if absent:
        raise InputError(
            f"{place} is incomplete: {absent[0][:12]} and {len(absent) - 1} more are missing or truncated; export it again"
        )
    return found


def _opened(path: Path, length: int) -> IO[bytes] | None:
    """A regular file of this length, opened; None if there is none. A link is not followed: root may read everything."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except PermissionError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; run this as a user who may read it") from error
    except OSError:
        return None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_size != length:
        os.close(descriptor)
        return None
    return os.fdopen(descriptor, "rb")


def _store(sources: dict[str, IO[bytes]], bundle: UsbBundle, slot: str, state: Path) -> None:
    folder = make_folder(state / FOLDER)
    needed = sum(os.fstat(source.fileno()).st_size for source in sources.values()) + MARGIN_BYTES
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise StoreError(f"{needed // 2**20} MiB needed in {state}, {free // 2**20} MiB free; free some space")
    beside = folder / f".{bundle.target.digest}.new"
    with as_store_error(folder):
        shutil.rmtree(beside, ignore_errors=True)
        make_folder(beside / BLOBS_FOLDER)
        for digest, source in sources.items():
            with (beside / BLOBS_FOLDER / digest).open("wb") as file:
                shutil.copyfileobj(source, file)
                file.flush()
                os.fsync(file.fileno())
        sync_folder(beside / BLOBS_FOLDER)
        write_atomic(beside / BUNDLE_FILE, encode(bundle))
        write_atomic(beside / SLOT_FILE, slot.encode())
        remove_folder(folder / bundle.target.digest)
        beside.replace(folder / bundle.target.digest)
        sync_folder(folder)
