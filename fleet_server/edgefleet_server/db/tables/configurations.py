"""Records of `edgefleet apply`: what each set of files manages, and keys of rollouts that must not be created twice."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel


class ConfigurationRecord(SQLModel, table=True):
    """The objects that one set of files manages. `revision`: number of its changes."""

    __tablename__ = "configuration"

    name: str = Field(primary_key=True)
    revision: int
    resources: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    changed_at: float
    changed_by: str


class RolloutKeyRecord(SQLModel, table=True):
    """The rollout that was created with a key; null only within the transaction that creates it."""

    __tablename__ = "rollout_key"

    key: str = Field(primary_key=True)
    rollout: int | None = Field(default=None, foreign_key="rollout.id")
