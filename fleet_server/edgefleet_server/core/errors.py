"""Errors of the server: the tree of `edgefleet_contract.core.errors`, with leaves of its own.

EdgefleetError
├── InputError          what a person or the wire gave us is wrong: fix the input
│   ├── ManifestError     a package or its manifest
│   ├── MessageError      a message that is not of the contract
│   ├── NotFoundError     no such device, package, rollout, command or blob
│   └── ConflictError     right, but not now: the state of the thing does not allow it; the text says what does
├── SignInError         who is asking is not known: sign in
├── DeniedError         who is asking may not do this
├── TooManyError        too often: wait
├── MissingError        something has to be installed; the text says what
├── UnavailableError    not now: retry later (port in use, broker away, server away)
└── StoreError          the disk or the database: full, damaged, not writable
"""

from __future__ import annotations

from edgefleet_contract.core.errors import (
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
    "DeniedError",
    "EdgefleetError",
    "InputError",
    "ManifestError",
    "MessageError",
    "MissingError",
    "NotFoundError",
    "SignInError",
    "StoreError",
    "TooManyError",
    "UnavailableError",
]


class NotFoundError(InputError):
    """The thing that was asked for does not exist."""


class ConflictError(InputError):
    """The request is well-formed, but the state of the thing does not allow it."""


class SignInError(EdgefleetError):
    """The caller is not authenticated, or not any more."""

    exit_code = 7


class DeniedError(EdgefleetError):
    """The caller is authenticated and lacks the permission."""

    exit_code = 7


class TooManyError(EdgefleetError):
    """Rate limit exceeded. `wait_s`: seconds until the next try."""

    exit_code = 4

    def __init__(self, text: str, wait_s: int) -> None:
        super().__init__(text)
        self.wait_s = wait_s
