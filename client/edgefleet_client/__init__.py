"""Typed client of the fleet server's REST API: `FleetClient`, its errors, and its authentication."""

from __future__ import annotations

from edgefleet_client.authentication import Session, Token
from edgefleet_client.errors import (
    AccessDeniedError,
    ApiError,
    BusyError,
    ClientError,
    ConflictError,
    ConnectionFailedError,
    InvalidRequestError,
    NotFoundError,
    NotSignedInError,
    ProposedError,
    ServerFaultError,
    StorageFullError,
    UnexpectedResponseError,
)
from edgefleet_client.event_stream import ServerEvent
from edgefleet_client.fleet_client import FleetClient

__all__ = [
    "AccessDeniedError",
    "ApiError",
    "BusyError",
    "ClientError",
    "ConflictError",
    "ConnectionFailedError",
    "FleetClient",
    "InvalidRequestError",
    "NotFoundError",
    "NotSignedInError",
    "ProposedError",
    "ServerEvent",
    "ServerFaultError",
    "Session",
    "StorageFullError",
    "Token",
    "UnexpectedResponseError",
]
