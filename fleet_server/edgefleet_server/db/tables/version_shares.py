"""Shares of versions in the fleet over time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel


class ShareRecord(SQLModel, table=True):
    """How many devices ran each package in each slot at a moment: [{slot, package, version, count}], most first."""

    __tablename__ = "version_share"

    at: int = Field(primary_key=True)
    shares: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
