"""Measured speed of packages by kind of device."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, String
from sqlmodel import Field, SQLModel


class Measurement(SQLModel, table=True):
    """One setting of one package on one machine of a profile. `best`: the setting chosen by the user's objective."""

    __tablename__ = "measurement"
    __table_args__ = (Index("measurement_package", "package", "profile"),)

    id: int | None = Field(default=None, primary_key=True)
    package: str = Field(sa_column=Column(String, ForeignKey("package.digest"), nullable=False))
    profile: str
    machine: str
    measured_at: float
    variant: str
    runtime: str
    device: str
    threads: int
    streams: int
    instances: int
    batch: int
    p50_ms: float
    p95_ms: float
    per_s: float
    memory_bytes: int
    load_ms: float
    best: bool
