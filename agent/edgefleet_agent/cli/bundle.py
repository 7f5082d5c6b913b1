"""`edgefleet-agent bundle import PATH`: imports a package from a USB stick. The running service handles it like a received
one."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import time
from contextlib import ExitStack
from pathlib import Path

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.enroll import as_owner
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_agent.cli.support.stick_files import StickFiles, read_bundle
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.model_store.trust import EndorsedTarget, TrustDecision, endorse
from edgefleet_agent.service.commandlines import takes_signed_only
from edgefleet_agent.updates.usb_import import FOLDER, SLOT_FILE
from edgefleet_contract.core.atomic_files import as_store_error, make_folder, remove_folder, sync_folder, write_atomic
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.core.errors import InputError, StoreError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.reason_codes import Reason

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
    """Copy the package into the state folder, if its bytes and signatures are in order; the service checks both again.

    Raises:
        EdgefleetError: the text gives the remedy; nothing has changed on this device then.
    """
    if re.match(NAME_PATTERN, arguments.slot) is None:
        raise InputError(f"--slot {arguments.slot!r}: not a valid slot name")
    settings = configuration.read_settings(arguments.config)
    place, bundle = find(arguments.path)
    copy(place, bundle, arguments.slot, Path(settings.state), settings)
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
        InputError: there is none, or several, or it is not valid.
    """
    try:
        here = os.path.lexists(path / BUNDLE_FILE)
        places = [path] if here else sorted(file.parent for file in path.glob(f"*/{BUNDLE_FILE}") if not file.parent.is_symlink())
    except PermissionError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; run this as a user who may read it") from error
    if len(places) != 1:
        what = "no package" if not places else f"several packages: {', '.join(place.name for place in places)}"
        raise InputError(f"{path} contains {what}; specify a folder made by `edgefleet bundle export`")
    return places[0], read_bundle(places[0])


def copy(place: Path, bundle: UsbBundle, slot: str, state: Path, settings: configuration.Settings | None = None) -> None:
    """Copy the files named by the descriptor, and the metadata; other files on the stick are ignored. The files are opened as the
    user who runs this and written as the owner of the state folder, who may not be allowed to read the stick. settings: None
    leaves the signatures to the service.

    Raises:
        InputError: a file is missing, damaged or may not be read, or the signatures do not allow the package.
        StoreError: the disk is full.
    """
    with ExitStack() as opened:
        files = StickFiles(place, bundle, opened)
        with as_owner(state):
            if settings is not None and takes_signed_only(settings, state):
                _check_signature(files, bundle, state, settings)
            _store(files, bundle, slot, state)


def _check_signature(files: StickFiles, bundle: UsbBundle, state: Path, settings: configuration.Settings) -> None:
    """Whether the device's metadata, or that on the stick, allows the package."""
    from edgefleet_agent.model_store.tuf_client import appraise

    at = TrustedTime(state).at(0.0, time.time())
    root = Path(settings.trust_root) if settings.trust_root else None
    own, offered = appraise(state, files.metadata(), at, root)
    if endorse(bundle.target, own, 0, at).standing is TrustDecision.TRUSTED:
        return
    found = endorse(bundle.target, offered, 0, at)
    if offered.reason is not Reason.NONE:
        found = EndorsedTarget(TrustDecision.REFUSED, offered.reason, f"its signed metadata is refused: {offered.detail}")
    if found.standing is not TrustDecision.TRUSTED:
        name = f"{bundle.target.package}@{bundle.target.version}"
        raise InputError(f"{name} refused ({found.reason.value}): {found.detail}; export it again from the server of this device")


def _store(files: StickFiles, bundle: UsbBundle, slot: str, state: Path) -> None:
    folder = make_folder(state / FOLDER)
    needed = sum(files.required.values()) + MARGIN_BYTES
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise StoreError(f"{needed // 2**20} MiB needed in {state}, {free // 2**20} MiB free; free some space")
    beside = folder / f".{bundle.target.digest}.new"
    with as_store_error(folder):
        shutil.rmtree(beside, ignore_errors=True)
        try:
            make_folder(beside / BLOBS_FOLDER)
            for digest in files.required:
                with (beside / BLOBS_FOLDER / digest).open("wb") as file:
                    for data in files.chunks(digest):
                        file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            sync_folder(beside / BLOBS_FOLDER)
            write_atomic(beside / BUNDLE_FILE, encode(bundle))
            write_atomic(beside / SLOT_FILE, slot.encode())
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
        remove_folder(folder / bundle.target.digest)
        beside.replace(folder / bundle.target.digest)
        sync_folder(folder)
