"""Tables of installed components: bills of devices by digest, their entries, and the devices that have or had them."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, String
from sqlmodel import Field, SQLModel


class EnvironmentBillRecord(SQLModel, table=True):
    """A bill that at least one device has. Until it is received, a device is asked for it from `ask_at` on; `tries`: so far.
    `content`: its canonical bytes, whose SHA-256 is the digest."""

    __tablename__ = "environment_bill"

    digest: str = Field(primary_key=True)
    received_at: float | None = None
    ask_at: float = 0.0
    tries: int = 0
    refused: int = 0
    left_out: int = 0
    content: str = ""


class BillComponentRecord(SQLModel, table=True):
    """An entry of a bill."""

    __tablename__ = "bill_component"
    __table_args__ = (Index("bill_component_name", "name"),)

    bill: str = Field(sa_column=Column(String, ForeignKey("environment_bill.digest"), primary_key=True))
    kind: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    version: str


class DeviceBillRecord(SQLModel, table=True):
    """A span of time in which a device reported a bill; without `until_at` it still does."""

    __tablename__ = "device_bill"
    __table_args__ = (Index("device_bill_device", "device"), Index("device_bill_bill", "bill"))

    id: int | None = Field(default=None, primary_key=True)
    device: str = Field(sa_column=Column(String, ForeignKey("device.id"), nullable=False))
    bill: str
    since_at: float
    until_at: float | None = None
