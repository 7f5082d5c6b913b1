"""What can go wrong in the office. The tree of `agent.errors`, which the contract shares, with two leaves of our own.

EdgefleetError
├── InputError          what a person or the wire gave us is wrong: fix the input
│   ├── ManifestError     a package or its manifest
│   ├── MessageError      a message that is not of the contract
│   ├── NotFoundError     no such device, package, rollout, command or blob
│   └── ConflictError     right, but not now: the state of the thing does not allow it; the text says what does
├── MissingError        something has to be installed; the text says what
├── UnavailableError    not now: retry later (port in use, broker away, server away)
└── StoreError          the disk or the database: full, damaged, not writable
"""

from __future__ import annotations

from agent.errors import (
    EdgefleetError,
    InputError,
    ManifestError,
    MessageError,
    MissingError,
    StoreError,
    UnavailableError,
)

__all__ = [
    "ConflictError",
    "EdgefleetError",
    "InputError",
    "ManifestError",
    "MessageError",
    "MissingError",
    "NotFoundError",
    "StoreError",
    "UnavailableError",
]


class NotFoundError(InputError):
    """The thing that was asked for does not exist."""


class ConflictError(InputError):
    """The request is well-formed, but the state of the thing does not allow it."""
