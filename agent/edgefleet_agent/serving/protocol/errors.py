"""What a caller did wrong, or why it has to come back later, with the protocol's own code for it."""

from __future__ import annotations

from enum import Enum

from edgefleet_contract.core.errors import EdgefleetError


class Code(Enum):
    """HTTP status; gRPC has a name for each (see `grpc_door`)."""

    INVALID = 400
    UNAUTHENTICATED = 401
    FORBIDDEN = 403
    NOT_FOUND = 404
    METHOD = 405
    TOO_SLOW = 408
    TOO_LARGE = 413
    MEDIA = 415
    TOO_MANY = 429
    HEADERS = 431
    INTERNAL = 500
    UNSUPPORTED = 501
    UNAVAILABLE = 503


class CallError(EdgefleetError):
    """A call that is not answered. retry_s: when trying again may help, 0 where it will not."""

    def __init__(self, code: Code, text: str, retry_s: int = 0) -> None:
        super().__init__(text)
        self.code = code
        self.retry_s = retry_s


def internal_fault() -> CallError:
    """What a caller reads of a fault of ours; all of it goes into the log."""
    return CallError(Code.INTERNAL, "internal fault; the log of the agent says more")


def invalid(text: str) -> CallError:
    """The request itself is wrong."""
    return CallError(Code.INVALID, text)
