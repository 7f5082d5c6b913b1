"""Bodies of the REST API v1 about benchmark results."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_contract.encoding.names import DIGEST_PATTERN
from edgefleet_server.api.schemas.fields import Name, StrictModel
from edgefleet_server.db.telemetry.measurements import MEASUREMENTS_MAX

ROWS_MAX = 256
Milliseconds = Annotated[float, Field(ge=0, le=3_600_000)]
Few = Annotated[int, Field(ge=1, le=1024)]
Word = Annotated[str, Field(min_length=1, max_length=64)]


class MeasuredSetting(StrictModel):
    """One setting and its figures. `threads` 0: the default number. `per_s`: samples per second, all instances together."""

    variant: Name
    runtime: Word
    device: Annotated[str, Field(min_length=1, max_length=128)]
    threads: Annotated[int, Field(ge=0, le=1024)]
    streams: Few
    instances: Few
    batch: Few
    p50_ms: Milliseconds
    p95_ms: Milliseconds
    per_s: Annotated[float, Field(ge=0, le=1e9)]
    memory_bytes: Annotated[int, Field(ge=0, le=2**50)]
    load_ms: Milliseconds
    best: bool = False


class MeasurementUpload(StrictModel):
    """Benchmark results of one version on one machine. `digest`: that of the measured package."""

    digest: Annotated[str, Field(pattern=DIGEST_PATTERN)]
    profile: Name
    machine: Annotated[str, Field(min_length=1, max_length=120)]
    rows: Annotated[list[MeasuredSetting], Field(min_length=1, max_length=ROWS_MAX)]


class MeasurementRow(MeasuredSetting):
    profile: str
    machine: str
    measured_at: float


class MeasurementList(BaseModel):
    """By profile and machine, the lowest latency first."""

    items: Annotated[list[MeasurementRow], Field(max_length=MEASUREMENTS_MAX)]
