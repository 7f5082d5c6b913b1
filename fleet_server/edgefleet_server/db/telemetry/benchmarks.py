"""Stores the results of the command `bench` as measurements of the registry."""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from sqlalchemy import select
from sqlmodel import col

from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_contract.encoding.field_faults import field_fault
from edgefleet_contract.encoding.names import Digest, Name
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend.driver import is_among
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.registry import packages
from edgefleet_server.db.tables.core import CommandRecord
from edgefleet_server.db.telemetry import measurements

OP = "bench"
Milliseconds = Annotated[float, Meta(ge=0, le=3_600_000)]
Few = Annotated[int, Meta(ge=1, le=1024)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]

log = logging.getLogger(__name__)


class Latency(msgspec.Struct):
    p50: Milliseconds
    p95: Milliseconds


class BenchmarkResult(msgspec.Struct):
    """The fields of the result of the command `bench` that the registry stores. Untrusted input: each field is validated."""

    digest: Digest
    variant: Name
    runtime: Word
    device: Annotated[str, Meta(min_length=1, max_length=128)]
    latency_ms: Latency
    per_s: Annotated[float, Meta(ge=0, le=1e9)]
    load_ms: Milliseconds
    memory_bytes: Annotated[int, Meta(ge=0, le=2**50)]
    threads: Annotated[int, Meta(ge=0, le=1024)] = 0
    streams: Few = 1
    instances: Few = 1
    batch: Few = 1
    profile: Annotated[str, Meta(pattern=r"^([a-z0-9][a-z0-9_-]{0,63})?$")] = ""


def store_results(database: Database, commands: Collection[str], now: float) -> None:
    """Store the measurements in the results of these commands. A server that stops before this call loses the measurement, not
    the reply."""
    try:
        with database.read() as connection:
            statement = select(col(CommandRecord.device), col(CommandRecord.result)).where(
                is_among(col(CommandRecord.id), commands), col(CommandRecord.op) == OP
            )
            found = [(str(device), result) for device, result in connection.execute(statement)]
        for device, result in found:
            _store(database, device, result, now)
    except StoreError as error:
        log.error("measurements: %s", error)


def _store(database: Database, device: str, result: Any, now: float) -> None:
    try:
        parsed = msgspec.convert(result, ensure_decoder(BenchmarkResult))
    except msgspec.ValidationError as error:
        log.warning("the measurement of %s is not kept: %s", device, field_fault(error, BenchmarkResult))
        return
    row = {name: getattr(parsed, name) for name in (*measurements.SETTING, "per_s", "load_ms", "memory_bytes")}
    row |= {"p50_ms": parsed.latency_ms.p50, "p95_ms": parsed.latency_ms.p95}
    with database.write() as connection:
        if parsed.digest in packages.known_digests(connection, [parsed.digest]):  # a factory package may not be in the registry
            measurements.add(connection, parsed.digest, parsed.profile or "none", device, row, now)
