"""Tables of experiments."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer
from sqlmodel import Field, SQLModel


class ExperimentRecord(SQLModel, table=True):
    """A comparison of versions. `split`: `hash`, or `label` with its key. `chosen_arm`: the winning arm, set at the end.
    `compared`: comma-separated names of figures; empty = all. `review_after_s`: time after which a decision is planned."""

    __tablename__ = "experiment"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    slot: str
    state: str
    split: str
    label_key: str = ""
    created_at: float
    created_by: str = ""
    ended_at: float | None = None
    ended_by: str = ""
    chosen_arm: str = ""
    chosen_rollout: int | None = None
    compared: str = ""
    review_after_s: float | None = None


class ExperimentArm(SQLModel, table=True):
    """One version of an experiment; `rollout`: its rollout to the devices that do not run it yet."""

    __tablename__ = "experiment_arm"

    experiment: int = Field(sa_column=Column(Integer, ForeignKey("experiment.id"), primary_key=True))
    position: int = Field(primary_key=True)
    name: str
    package: str = Field(foreign_key="package.digest")
    share: float
    value: str = ""
    rollout: int | None = None


class ExperimentMember(SQLModel, table=True):
    """A device and its arm, fixed when the experiment starts."""

    __tablename__ = "experiment_member"

    experiment: int = Field(sa_column=Column(Integer, ForeignKey("experiment.id"), primary_key=True))
    device: str = Field(primary_key=True)
    arm: str
