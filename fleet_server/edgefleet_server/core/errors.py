"""Errors of the server: the tree of `edgefleet_contract.core.errors`, with leaves of its own.

EdgefleetError
├── InputError          invalid input of a user or a message: fix the input
│   ├── ManifestError     a package or its manifest
│   ├── MessageError      a message that is not of the contract
│   ├── NotFoundError     no such device, package, rollout, command or blob
│   └── ConflictError     valid, but the current state does not allow it; the text names the state that does
├── SignInError         the caller is unknown: sign in
├── DeniedError         the caller lacks the permission
├── ApprovalNeededError the change is a proposal now, and waits for a person
├── TooManyError        the rate limit is exceeded: wait
├── MissingError        a program or package has to be installed; the text names it
├── UnavailableError    temporarily unavailable: retry later (port in use, broker or server unreachable)
└── StoreError          the disk or the database: full, damaged, not writable
    └── StatementError    the database refuses one statement: a fault of the program or of stored data
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
    "ApprovalNeededError",
    "ConflictError",
    "DeniedError",
    "EdgefleetError",
    "InputError",
    "ManifestError",
    "MessageError",
    "MissingError",
    "NotFoundError",
    "SignInError",
    "StatementError",
    "StoreError",
    "TooManyError",
    "TrialEnd",
    "UnavailableError",
]


class NotFoundError(InputError):
    """The requested object does not exist."""


class ConflictError(InputError):
    """The request is valid, but the current state of the object does not allow it."""


class SignInError(EdgefleetError):
    """The caller is not authenticated, or no longer is."""

    exit_code = 7


class DeniedError(EdgefleetError):
    """The caller is authenticated and lacks the permission."""

    exit_code = 7


class ApprovalNeededError(EdgefleetError):
    """Nothing was changed: the request of a proposing API token waits for the approval of a person. `proposal`: its number."""

    exit_code = 8

    def __init__(self, text: str, proposal: int) -> None:
        super().__init__(text)
        self.proposal = proposal


class TooManyError(EdgefleetError):
    """Rate limit exceeded. `wait_s`: seconds until the next try."""

    exit_code = 4

    def __init__(self, text: str, wait_s: int) -> None:
        super().__init__(text)
        self.wait_s = wait_s


class StatementError(StoreError):
    """The database works, and refuses one statement: a fault of the program, or of the data that the statement reads."""


class TrialEnd(Exception):  # noqa: N818 (an end, not an error)
    """A request that is tried without effect has reached the point where it would change something. `complete`: it was the
    commit; else what comes now cannot be tried. Never an `EdgefleetError`: nothing may handle it as a failure."""

    def __init__(self, *, complete: bool) -> None:
        super().__init__("the end of a trial")
        self.complete = complete
