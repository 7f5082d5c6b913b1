"""Errors of requests, with the status codes of the protocol."""

from __future__ import annotations

from enum import Enum

from edgefleet_contract.core.errors import EdgefleetError


class Code(Enum):
    """HTTP status codes; `grpc.service.STATUS` maps each to a gRPC status."""

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
    """A request that fails. retry_s: seconds after which a retry may succeed, 0 if it will not."""

    def __init__(self, code: Code, text: str, retry_s: int = 0) -> None:
        super().__init__(text)
        self.code = code
        self.retry_s = retry_s


class FaultError(CallError):
    """A request that fails by a fault of a runtime, a plug-in or of this program, whatever the request holds."""

    def __init__(self, text: str) -> None:
        super().__init__(Code.INTERNAL, text)


def internal_fault() -> FaultError:
    """The error that a caller gets for an internal fault; the details go into the log."""
    return FaultError("internal error; see the log of the agent")


def invalid(text: str) -> CallError:
    """An error of the request itself."""
    return CallError(Code.INVALID, text)
