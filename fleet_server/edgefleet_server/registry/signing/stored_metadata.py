"""Verifies a folder of signed metadata as it is stored: the chain from the newest timestamp to the list of packages."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, Targets, Timestamp

from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import StoreError

ADVICE: Final = "restore the trust folder from the last backup"


def key_advice(name: str) -> str:
    """The advice about a key that is missing or damaged; `name`: of its role, or of its file."""
    role = name.partition(".")[0]
    if role == Root.type:
        return f"copy it from where you keep the root key, delete it if that is elsewhere, or {ADVICE}"
    if role == Targets.type:
        return f"replace it with `edgefleet trust replace-lost --role targets`, or {ADVICE}"
    return f"replace it with `edgefleet trust replace-lost`, or {ADVICE}"


def check_metadata(folder: Path, shown: Path) -> None:
    """Verify the roots, each signed by the one before it, and the files that the timestamp names: length, SHA-256, signature.

    `shown`: the folder that errors name.

    Raises:
        StoreError: a file is missing or damaged; the text names it.
    """
    at = folder
    try:
        roots: list[Root] = []
        for at in sorted(folder.glob("*.root.json"), key=lambda path: int(path.name.partition(".")[0])):
            following = Metadata[Root].from_bytes(at.read_bytes())
            for judge in (*roots[-1:], following.signed):
                judge.verify_delegate(Root.type, following.signed_bytes, following.signatures)
            roots.append(following.signed)
        at = folder / "timestamp.json"
        timestamp = _verified(roots, Timestamp.type, at.read_bytes())
        meta = timestamp.snapshot_meta
        at = folder / f"{meta.version}.snapshot.json"
        snapshot = _verified(roots, Snapshot.type, _named(at, meta))
        for name, meta in snapshot.meta.items():
            at = folder / f"{meta.version}.{name}"
            data = _named(at, meta)
            if name == f"{Targets.type}.json":
                _verified(roots, Targets.type, data)
    except (OSError, ValueError, RepositoryError) as error:
        text = fault_text(error)
        raise StoreError(f"signed metadata {shown / at.name} is damaged ({text}); {ADVICE}") from error


def _named(path: Path, meta: MetaFile) -> bytes:
    data = path.read_bytes()
    expected = (meta.hashes or {}).get("sha256")
    if (meta.length is not None and meta.length != len(data)) or expected not in (None, hashlib.sha256(data).hexdigest()):
        raise ValueError("its length or SHA-256 is not the signed one")
    return data


def _verified(roots: list[Root], role: str, data: bytes) -> Any:
    """The content, signed with the keys of the newest root, or of the one before it: a power cut during a rotation of keys leaves
    that, and the next start of the server signs anew."""
    metadata = Metadata[Any].from_bytes(data)
    if not roots:
        raise ValueError("there is no root")
    try:
        roots[-1].verify_delegate(role, metadata.signed_bytes, metadata.signatures)
    except RepositoryError:
        if len(roots) < 2:
            raise
        roots[-2].verify_delegate(role, metadata.signed_bytes, metadata.signatures)
    return metadata.signed
