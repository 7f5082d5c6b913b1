"""Shares of versions in the fleet over time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel


class ShareRecord(SQLModel, table=True):
    """The number of devices that ran each package in each slot at a time: [{slot, package, version, count}], the largest
    first."""

    __tablename__ = "version_share"

    at: int = Field(primary_key=True)
    shares: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
