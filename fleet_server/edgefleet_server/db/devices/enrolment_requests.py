"""Devices that wait for the approval of their enrolment."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, InputError
from edgefleet_server.db.devices.identities import NOT_VALID, TokenUse, open_tokens
from edgefleet_server.db.tables.core import columns_of
from edgefleet_server.db.tables.identities import EnrolmentRequest

REQUESTS_MAX: Final = 20_000
"""Limit of devices that wait."""


class RequestState(str, Enum):
    WAITING = "waiting"
    APPROVED = "approved"
    DENIED = "denied"


def ask(connection: Connection, token: TokenUse, device: str, key_sha256: str, now: float) -> RequestState:
    """Record that a device with this key asks to be enrolled; returns the decision so far.

    Raises:
        ConflictError: a device with another key waits under this name, or too many wait.
        InputError: as many wait as the token may still enrol.
    """
    connection.execute(delete(EnrolmentRequest).where(col(EnrolmentRequest.token).not_in(open_tokens(now))))
    row = EnrolmentRequest
    found = connection.execute(select(col(row.key_sha256), col(row.state)).where(col(row.device) == device)).one_or_none()
    if found is not None:
        if found[0] != key_sha256:
            raise ConflictError(
                f"another device asks to be enrolled as {device!r}; use another ID, or deny that one:"
                f" `edgefleet token deny {device}`"
            )
        connection.execute(update(row).where(col(row.device) == device).values(last_requested_at=now))
        return RequestState(found[1])
    of_token = (
        select(func.count()).select_from(row).where(col(row.token) == token.id, col(row.state) != RequestState.DENIED.value)
    )
    if connection.execute(of_token).scalar_one() >= token.devices_max - token.uses:
        raise InputError(NOT_VALID)
    if connection.execute(select(func.count()).select_from(row)).scalar_one() >= REQUESTS_MAX:
        raise ConflictError(f"{REQUESTS_MAX} devices wait for approval; approve or deny some with `edgefleet token requests`")
    record = {"device": device, "token": token.id, "key_sha256": key_sha256, "state": RequestState.WAITING.value}
    connection.execute(insert(row), {**record, "requested_at": now, "last_requested_at": now, "decided_by": ""})
    return RequestState.WAITING


def requests(connection: Connection, now: float) -> list[dict[str, Any]]:
    """Those of tokens that can be used, the longest waiting first."""
    row = EnrolmentRequest
    statement = (
        select(*columns_of(row)).where(col(row.token).in_(open_tokens(now))).order_by(col(row.requested_at), col(row.device))
    )
    return [dict(found) for found in connection.execute(statement.limit(REQUESTS_MAX)).mappings()]


def waiting(connection: Connection, now: float) -> dict[str, int]:
    """Number of devices that wait, by token."""
    row = EnrolmentRequest
    statement = select(col(row.token), func.count()).where(
        col(row.state) == RequestState.WAITING.value, col(row.token).in_(open_tokens(now))
    )
    return {found[0]: found[1] for found in connection.execute(statement.group_by(col(row.token)))}


def decide(
    connection: Connection, devices: Collection[tuple[str, str]], state: RequestState, by: str, now: float
) -> dict[str, str]:
    """Approve or deny the requests of these (device, SHA-256 of its key; empty: whichever asks). Returns by device why that is
    not possible."""
    row = EnrolmentRequest
    refused: dict[str, str] = {}
    for device, key_sha256 in devices:
        found = connection.execute(
            select(col(row.key_sha256)).where(col(row.device) == device, col(row.token).in_(open_tokens(now)))
        ).scalar_one_or_none()
        if found is None:
            refused[device] = "does not ask to be enrolled"
        elif key_sha256 and found != key_sha256:
            refused[device] = "another device asks under this name by now; look at its key again"
        else:
            values = {"state": state.value, "decided_at": now, "decided_by": by}
            connection.execute(update(row).where(col(row.device) == device).values(values))
    return refused


def end(connection: Connection, device: str) -> None:
    """Forget the request of a device."""
    connection.execute(delete(EnrolmentRequest).where(col(EnrolmentRequest.device) == device))
