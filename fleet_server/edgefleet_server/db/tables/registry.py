"""Channels of models: names that point to a version."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, String
from sqlmodel import Field, SQLModel


class ChannelRecord(SQLModel, table=True):
    """A channel of a model and the package that it points to, for example `stable` of `person_detector`."""

    __tablename__ = "channel"

    model: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    package: str = Field(sa_column=Column(String, ForeignKey("package.digest"), nullable=False, index=True))
    changed_at: float
    changed_by: str = ""
    note: str = ""


class ChannelChange(SQLModel, table=True):
    """One change of a channel. `version` empty: it was removed; `before` empty: it was new."""

    __tablename__ = "channel_change"
    __table_args__ = (Index("channel_change_name", "model", "name", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    model: str
    name: str
    version: str = ""
    before: str = ""
    at: float
    by: str = ""
    note: str = ""
