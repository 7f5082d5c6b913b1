"""The next root, as people sign it away from the server: its keys, its threshold, the key of the package list. Pure functions.

A device takes root N + 1 if the threshold of keys of root N has signed it, and that of root N + 1. So keys that were lost or
stolen, fewer than the threshold, are replaced by the others, and every device follows when it hears of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from securesystemslib.signer import CryptoSigner, Key
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, Root, Targets

from edgefleet_server.core.errors import ConflictError, InputError
from edgefleet_server.registry.signing import delegations
from edgefleet_server.registry.signing.keys import ALWAYS_ONLINE
from edgefleet_server.registry.signing.signed_targets import expiry
from edgefleet_server.registry.signing.stored_metadata import ADVICE

THRESHOLD_OFFLINE_MIN = 2
"""Threshold of a root that is kept by people: with 1 each lost key is also one that can be misused."""


@dataclass(frozen=True, slots=True)
class RoleKeys:
    """The keys of a role, `threshold` of which have to sign. No keys: those of the present root."""

    keys: Sequence[Key] = ()
    threshold: int = 0


def next_root(data: bytes, root: RoleKeys, targets: RoleKeys, now: float) -> Root:
    """The root that follows `data`, unsigned.

    Raises:
        InputError: `data` is no root, or a threshold is not possible with its keys.
    """
    try:
        made = Metadata[Root].from_bytes(data).signed
    except (RepositoryError, ValueError) as error:
        raise InputError(f"not a signed root ({error})") from error
    for role, chosen in ((Root.type, root), (Targets.type, targets)):
        named = made.roles[role]
        if chosen.keys:
            delegations.name_keys(made, role, chosen.keys, chosen.threshold or named.threshold)
        elif chosen.threshold:
            named.threshold = chosen.threshold
        if not 1 <= named.threshold <= len(named.keyids):
            raise InputError(f"a threshold of {named.threshold} with {len(named.keyids)} keys of {role} is not possible")
    made.version += 1
    made.expires = expiry(Root.type, now)
    return made


def check_root(current: Root, data: bytes) -> Root:
    """Verify a root that was signed elsewhere, as devices do.

    Raises:
        InputError: not signed by enough keys, those of `current` and its own; or it names other keys for the roles that the
            server signs. ConflictError: it does not follow `current`.
    """
    try:
        metadata = Metadata[Root].from_bytes(data)
    except (RepositoryError, ValueError) as error:
        raise InputError(f"not a signed root ({error})") from error
    made = metadata.signed
    if made.type != Root.type or made.version != current.version + 1:
        raise ConflictError(f"root {made.version} does not follow {current.version}; make it again from the present one")
    for name, judge in (("the present root", current), ("the new root", made)):
        if not judge.get_verification_result(Root.type, metadata.signed_bytes, metadata.signatures).verified:
            role = judge.roles[Root.type]
            raise InputError(
                f"not signed by {role.threshold} of the {len(role.keyids)} root keys of {name}; add signatures with"
                " `edgefleet trust change-root --take FILE --root-key KEY`"
            )
    if made.is_expired():
        raise InputError("the root has already expired; check the clock of the machine that signed it")
    other = next((role for role in ALWAYS_ONLINE if set(made.roles[role].keyids) != set(current.roles[role].keyids)), None)
    if other is not None:
        raise InputError(f"the root names another key of {other}; use `edgefleet trust replace-lost` for the server's own roles")
    return made


def described_root(data: bytes) -> str:
    """The version, keys and thresholds of a root, a line for each role that people keep.

    Raises:
        InputError: `data` is no root.
    """
    try:
        root = Metadata[Root].from_bytes(data).signed
    except (RepositoryError, ValueError) as error:
        raise InputError(f"not a signed root ({error})") from error
    named = [(role, root.roles[role]) for role in (Root.type, Targets.type)]
    return "\n".join(
        f"root {root.version}: {role} needs {part.threshold} of {', '.join(keyid[:12] for keyid in part.keyids)}"
        for role, part in named
    )


def root_signers(root: Root, here: Sequence[CryptoSigner], elsewhere: Sequence[CryptoSigner]) -> list[CryptoSigner]:
    """Enough keys to sign the next root: the server's own, if it has one, and those that are kept elsewhere.

    Raises:
        ConflictError: they are fewer than the root's threshold.
    """
    named = root.roles[Root.type]
    found = {signer.public_key.keyid: signer for signer in (*here, *elsewhere) if signer.public_key.keyid in named.keyids}
    foreign = [signer.public_key.keyid[:12] for signer in elsewhere if signer.public_key.keyid not in named.keyids]
    if foreign:
        expected = ", ".join(keyid[:12] for keyid in named.keyids)
        raise ConflictError(f"key {', '.join(foreign)} of --root-key is no root key of this server; expected is {expected}")
    if len(found) < named.threshold:
        missing = f"a new root needs {named.threshold} root keys, {len(found)} are here"
        raise ConflictError(f"{missing}; name the files with --root-key, or {ADVICE}")
    return list(found.values())
