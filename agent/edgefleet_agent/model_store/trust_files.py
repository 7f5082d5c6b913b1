"""The files of the signed metadata on disk: `trust/metadata.json`, and `trust/anchor.json` from which it is begun anew.

The anchor is the last verified root with the versions of the other roles. If the disk damages or loses the metadata, it is put
aside and fetched again from the server, verified against this root and never older than these versions: a damaged disk does not
lower the trust. If the disk damages the anchor, it is written again from the metadata. Without both there is no trust root: what
is committed runs, nothing new is trusted, until the device is enrolled again or finds the root of its settings.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from tuf.api.exceptions import RepositoryError, UnsignedMetadataError
from tuf.api.metadata import Metadata, Root

from edgefleet_agent.core.damaged_files import make_way, put_aside, read_or_put_aside
from edgefleet_agent.model_store.trust import OFFER_BYTES_MAX, MetadataBundle
from edgefleet_contract.core.atomic_files import make_folder, read_if_there, write_atomic
from edgefleet_contract.core.errors import InputError, MessageError, StoreError
from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.wire.messages import Count

ROOT = "root.json"
ROLES = {"timestamp.json": "timestamp", "snapshot.json": "snapshot", "targets.json": "targets"}
"""Files whose version must not fall, and their roles."""

log = logging.getLogger(__name__)


class Anchor(Wire):
    """`anchor.json`. versions: by file. epochs: the lowest that is taken, by package."""

    root: str
    versions: dict[str, Count] = msgspec.field(default_factory=dict)
    epochs: dict[str, Count] = msgspec.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredMetadata:
    """Metadata files by name. anchor: what is on disk; None: nothing that can be used. damage: one line for people, if the disk
    has lost metadata; empty: none."""

    files: dict[str, bytes]
    anchor: Anchor | None = None
    damage: str = ""


def is_root(data: bytes) -> bool:
    """Whether it is root metadata signed by its own keys."""
    try:
        metadata = Metadata[Root].from_bytes(data)
        metadata.verify_delegate(Root.type, metadata)
    except (RepositoryError, UnsignedMetadataError, ValueError):
        return False
    return True


def read(state: Path) -> StoredMetadata | None:
    """The stored metadata; None if there has never been a trust root.

    Raises:
        InputError: both files are damaged.
        StoreError: the disk cannot be read.
    """
    path = _metadata(state)
    for file in (path, _anchor(state)):
        make_way(file)
    anchor = _read_anchor(state)
    data = read_or_put_aside(path, 2 * OFFER_BYTES_MAX)
    files, why = _parsed(data) if data is not None else ({}, "it is missing")
    if files:
        return StoredMetadata(files, anchor)
    if anchor is None and data is None:
        return None
    aside = _put_aside(path) if data is not None else ""
    if anchor is None:
        again = "enroll this device again: `edgefleet-agent enroll URL --token-file FILE --again`"
        raise InputError(f"{path} is damaged ({why}), and so is its copy of the root; {again}{aside}")
    text = f"{path} was damaged ({why}); fetching it again from the server{aside}"
    return StoredMetadata({ROOT: anchor.root.encode()}, anchor, text)


def write(state: Path, files: dict[str, bytes]) -> None:
    """Store metadata that was verified; `keep_anchor` has to follow.

    Raises:
        StoreError: the disk cannot be written.
    """
    make_way(_metadata(state))
    make_folder(_metadata(state).parent)
    write_atomic(_metadata(state), encode(MetadataBundle(files={name: data.decode() for name, data in files.items()})))


def copy(state: Path, other: Path) -> None:
    """Copy the files under `state` as they are, damaged or not, to the folder `other`.

    Raises:
        StoreError: one cannot be read, or not be written.
    """
    for place in (_metadata, _anchor):
        data = read_if_there(place(state), 2 * OFFER_BYTES_MAX)
        if data is not None:
            make_folder(place(other).parent)
            write_atomic(place(other), data)


def keep_anchor(state: Path, files: dict[str, bytes], epochs: dict[str, int], before: Anchor | None) -> None:
    """Store the anchor of verified `files` with the lowest epochs by package, if it differs from the one before; the next check
    tries again where the disk refuses it."""
    versions_now = {**versions_min(files[ROOT], before), **versions(files)}
    anchor = Anchor(root=files[ROOT].decode(), versions=versions_now, epochs=epochs)
    if anchor == before:
        return
    try:
        write_atomic(_anchor(state), encode(anchor))
    except StoreError as error:
        log.debug("%s", error)


def versions_min(root: bytes, anchor: Anchor | None) -> dict[str, int]:
    """Versions below which files are refused. A role whose keys `root` has changed begins anew: this is how a repository recovers
    from a thief who signed the highest version."""
    if anchor is None:
        return {}
    same = _same_keys(root, anchor)
    return {name: at for name, at in anchor.versions.items() if name in same}


def epochs_min(root: bytes, anchor: Anchor | None) -> dict[str, int]:
    """Epochs that the device has taken as the lowest, by package. They begin anew with the keys of the targets."""
    return dict(anchor.epochs) if anchor is not None and "targets.json" in _same_keys(root, anchor) else {}


def _same_keys(root: bytes, anchor: Anchor) -> set[str]:
    """Files of the roles that have the same keys in `root` and in the root of the anchor."""
    now, then = Metadata[Root].from_bytes(root).signed.roles, Metadata[Root].from_bytes(anchor.root.encode()).signed.roles
    return {name for name, role in ROLES.items() if now[role] == then[role]}


def versions(files: dict[str, bytes]) -> dict[str, int]:
    """The version of each role among verified files."""
    return {name: Metadata[Any].from_bytes(files[name]).signed.version for name in ROLES if name in files}


def _parsed(data: bytes) -> tuple[dict[str, bytes], str]:
    """Files by name, or the reason for which none can be used."""
    try:
        bundle = decode(data, MetadataBundle, bytes_max=2 * OFFER_BYTES_MAX)
    except MessageError as error:
        return {}, str(error)
    files = {name: text.encode() for name, text in bundle.files.items()}
    return (files, "") if is_root(files.get(ROOT, b"")) else ({}, "its root is not signed by its own keys")


def _read_anchor(state: Path) -> Anchor | None:
    try:
        anchor = decode(read_or_put_aside(_anchor(state), 2 * OFFER_BYTES_MAX) or b"", Anchor, bytes_max=2 * OFFER_BYTES_MAX)
    except MessageError:
        return None
    return anchor if is_root(anchor.root.encode()) else None


def _put_aside(path: Path) -> str:
    try:
        return f"; see {put_aside(path, time.time()).name}"
    except StoreError as error:
        log.debug("%s", error)
        return ""


def _metadata(state: Path) -> Path:
    return state / "trust" / "metadata.json"


def _anchor(state: Path) -> Path:
    return state / "trust" / "anchor.json"
