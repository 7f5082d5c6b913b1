"""`grpc.health.v1`: the server as a whole (service "") and each of its services. Unary `Check`; `Watch` stays open."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from google.protobuf.message import DecodeError

from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.grpc.call import GrpcCall
from edgefleet_agent.serving.grpc.descriptors import DescribedFile
from edgefleet_agent.serving.grpc.methods import Method
from edgefleet_agent.serving.grpc.response_headers import Status

HEALTH = "grpc.health.v1.Health"
FILE = DescribedFile(
    "grpc/health/v1/health.proto",
    "grpc.health.v1",
    {"HealthCheckRequest": "service 1 string", "HealthCheckResponse": "status 1 HealthCheckResponse.ServingStatus"},
    {"HealthCheckResponse.ServingStatus": ("UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN")},
    {
        "Health": {
            "Check": ("HealthCheckRequest", "HealthCheckResponse"),
            "Watch": ("HealthCheckRequest", "*HealthCheckResponse"),
        }
    },
)
_SERVING, _NOT_SERVING, _SERVICE_UNKNOWN = b"\x08\x01", b"\x08\x02", b"\x08\x03"
"""Messages of one field."""


def health_methods(services: Collection[str], server: Server) -> dict[bytes, Method[GrpcCall]]:
    """Path -> method. services: full names; a server that answers serves all of them until it ends."""

    def check(rpc: GrpcCall, data: memoryview) -> None:
        service = _service(rpc, data)
        if service is None:
            return
        if service and service not in services:
            rpc.fail(Status.NOT_FOUND, f"unknown service {service[:200]!r}; known are {', '.join(services)}")
        else:
            rpc.answer([_NOT_SERVING if server.draining else _SERVING])

    return {
        f"/{HEALTH}/Check".encode(): Method(unary=check),
        f"/{HEALTH}/Watch".encode(): Method(stream=lambda rpc: _Watch(rpc, services.__contains__)),
    }


def _service(rpc: GrpcCall, data: memoryview) -> str | None:
    """The service of a request; None if the call was ended because it is none."""
    try:
        name: str = FILE.classes["HealthCheckRequest"].FromString(bytes(data)).service
    except DecodeError as cause:
        rpc.fail(Status.INVALID_ARGUMENT, f"the message is not a HealthCheckRequest: {cause}")
        return None
    return name


class _Watch:
    """One `Watch`: the state at once, and no further message, as it does not change until the server ends."""

    def __init__(self, rpc: GrpcCall, known: Callable[[Any], bool]) -> None:
        self._rpc = rpc
        self._known = known
        self._answered = False

    def message(self, data: memoryview) -> None:
        """Answer the one request."""
        if self._answered:
            self._rpc.fail(Status.INVALID_ARGUMENT, "more than one message for Watch")
            return
        self._answered = True
        service = _service(self._rpc, data)
        if service is not None:
            self._rpc.send([_SERVING if not service or self._known(service) else _SERVICE_UNKNOWN])

    def half_closed(self) -> None:
        """The caller has sent all; it goes on watching, unless it asked for nothing."""
        if not self._answered:
            self._rpc.fail(Status.INVALID_ARGUMENT, "Watch requires a HealthCheckRequest")

    def cancelled(self) -> None:
        """The caller has stopped watching."""

    def drained(self) -> None:
        """The state was sent."""

    def end(self) -> None:
        """The server ends: what it served is not served any more."""
        self._rpc.send([_NOT_SERVING])
        self._rpc.finish()
