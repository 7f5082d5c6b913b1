"""Settings that an administrator changed at runtime."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel


class SettingRecord(SQLModel, table=True):
    """One changed setting, by the name of its field; without a row, the value from the server's start applies."""

    __tablename__ = "setting"

    name: str = Field(primary_key=True)
    value: Any = Field(sa_column=Column(JSON, nullable=False))
    changed_at: float
    changed_by: str
