"""Results of retention."""

from __future__ import annotations

from sqlmodel import Field, SQLModel


class RetentionRecord(SQLModel, table=True):
    """One kind of thing that goes by age or number. `at`: its latest turn, which took `took_s`; `removed`: all that ever went;
    `problem`: why that turn could not do its work, empty = it could."""

    __tablename__ = "retention"

    kind: str = Field(primary_key=True)
    at: float
    removed: int = 0
    took_s: float = 0.0
    problem: str = ""
