"""The certificate authority of the fleet server's HTTPS certificate, as verified by its fingerprint at enrolment:
`server_authority.json` in the state folder. A server whose authority every system knows has none here."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlsplit

from edgefleet_contract.core.atomic_files import read_if_there, write_atomic
from edgefleet_contract.core.errors import InputError, MessageError
from edgefleet_contract.core.pinned_authority import fingerprints
from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.wire.enrolment import PemBundle

FILE = "server_authority.json"
BYTES_MAX = 64 * 1024


class StoredAuthority(Wire):
    """The content of the file. server: `host[:port]` of the server; authority: PEM, two during a rotation."""

    server: str
    authority: PemBundle


def store_authority(state: Path, url: str, authority: str) -> None:
    """Keep the authority (PEM) of the server at `url`, instead of an earlier one.

    Raises:
        StoreError: the disk cannot be written.
    """
    write_atomic(state / FILE, encode(StoredAuthority(server=urlsplit(url).netloc, authority=authority)), 0o600)


def replace_stored(state: Path, known: Collection[str], authorities: str) -> None:
    """Keep `authorities` (PEM) of the same server instead of its stored one, if that is among `known` (fingerprints): the
    authority of its HTTPS certificate is then one of its own.

    Raises:
        StoreError: the disk cannot be written.
    """
    content = read_if_there(state / FILE, BYTES_MAX)
    if content is None:
        return
    try:
        stored = decode(content, StoredAuthority)
        is_own = not set(fingerprints(stored.authority)).isdisjoint(known)
    except (MessageError, InputError):
        return
    if is_own and stored.authority != authorities:
        write_atomic(state / FILE, encode(StoredAuthority(server=stored.server, authority=authorities)), 0o600)


def stored_authority(state: Path, url: str | None = None) -> str:
    """The authority (PEM) of the server at `url`, None: of the server under any of its names; empty if none is stored for it, or
    the file is damaged."""
    content = read_if_there(state / FILE, BYTES_MAX)
    if content is None:
        return ""
    try:
        stored = decode(content, StoredAuthority)
    except MessageError:
        return ""
    return stored.authority if url is None or stored.server == urlsplit(url).netloc else ""
