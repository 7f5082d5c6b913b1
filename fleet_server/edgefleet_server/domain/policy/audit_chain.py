"""The hash chain of the audit log: each entry carries the SHA-256 of the previous entry. A changed, removed or inserted entry
breaks the chain of all later ones. A removed end is detected by comparison with an earlier head (`SEQ:DIGEST`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

FIRST: Final = "0" * 64
"""The previous digest of the first entry."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An operation: its user, time, source address and result. `via`: session, token, open (no sign-in yet), data (a command on
    the server's data folder). `target`: the path of the changed resource; `status`: the HTTP status (0: not over HTTP);
    `detail`: JSON text."""

    seq: int
    at: float
    actor: str
    role: str
    via: str
    source: str
    action: str
    target: str
    status: int
    detail: str


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """The result of a verification. `entries`: number of valid entries; `head`: the last valid one (`SEQ:DIGEST`); `fault`: the
    first error, empty when the whole chain is valid."""

    entries: int
    head: str
    fault: str


def digest(entry: AuditEntry, previous: str) -> str:
    """SHA-256 over the previous digest and every field, as compact JSON."""
    fields = [getattr(entry, name) for name in AuditEntry.__slots__]
    text = json.dumps([previous, *fields], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def verify(
    chain: Iterable[tuple[AuditEntry, str, str] | str], expected_head: str = "", archived_head: tuple[int, str] = (0, FIRST)
) -> ChainVerdict:
    """Verify a chain of (entry, previous digest, own digest), oldest first; a text in place of an entry is a fault that was found
    there. `expected_head`: an earlier head, which must still be in the chain. `archived_head`: the last entry that was archived;
    the chain continues from it."""
    seq, head = archived_head
    archived = int(expected_head.partition(":")[0] or 0) < seq  # only the archive can confirm it
    seen = not expected_head or archived or expected_head == f"{seq}:{head}"
    for link in chain:
        if isinstance(link, str):
            return ChainVerdict(seq, f"{seq}:{head}", link)
        entry, previous, own = link
        if entry.seq != seq + 1:
            return ChainVerdict(seq, f"{seq}:{head}", f"entry {seq + 1} is missing")
        if previous != head or own != digest(entry, previous):
            return ChainVerdict(seq, f"{seq}:{head}", f"entry {entry.seq} was changed after it was written")
        seq, head = entry.seq, own
        seen = seen or expected_head == f"{seq}:{head}"
    fault = "" if seen else f"the entry {expected_head[:90]} is missing: the log was truncated or replaced"
    return ChainVerdict(seq, f"{seq}:{head}", fault)
