"""Types of the operations about audit.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import TypedDict


class AuditEntry(TypedDict):
    """`digest` = SHA-256 over `previous` and every other field; `detail` is JSON."""

    action: str
    actor: str
    at: float
    detail: str
    digest: str
    previous: str
    role: str
    seq: int
    source: str
    status: int
    target: str
    via: str


class AuditPage(TypedDict):
    """Newest first. `next_before_seq` is the `before_seq` of the following page."""

    items: list[AuditEntry]
    next_before_seq: int | None


class AuditVerdict(TypedDict):
    """Whether the chain is valid. `head` (SEQ:DIGEST), stored elsewhere, proves later that no entry was removed from the
    end."""

    entries: int
    fault: str
    head: str
    valid: bool
