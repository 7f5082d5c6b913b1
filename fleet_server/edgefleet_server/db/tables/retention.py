"""Results of retention."""

from __future__ import annotations

from sqlmodel import Field, SQLModel


class RetentionRecord(SQLModel, table=True):
    """The retention of one kind of data. `at`: time of the latest run, which took `took_s`; `removed`: total number of removed
    rows; `problem`: the error of the latest run, empty = none."""

    __tablename__ = "retention"

    kind: str = Field(primary_key=True)
    at: float
    removed: int = 0
    took_s: float = 0.0
    problem: str = ""
