"""Bodies of the REST API v1 about the health of the server. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class BrokerHealth(BaseModel):
    """`devices_max`: limit of connected devices of the managed broker (open files); null = unknown."""

    state: Literal["up", "down"]
    url: str
    devices_max: int | None = None


class BlockTraffic(BaseModel):
    """Blocks of models sent over MQTT since the server started; a broadcast counts once, regardless of the number of
    receivers."""

    broadcasts: int = 0
    sent_alone: int = 0
    sent_bytes: int = 0


class Health(BaseModel):
    """`status`: degraded if the broker is down, the database damaged or not writable, or a folder of models or signed metadata
    missing or not writable. `database_fault`: what is damaged in the database, and what to do; it is not written to then.
    Empty = nothing found. `database_unwritable_since`: wall time of the first refused write, for example on a full disk; null if
    the latest one succeeded. `storage_warnings`: reasons why stored data is damaged or could be lost, or nothing is stored, with
    what to do. `address_warnings`: reasons why devices on other machines cannot reach the broker at the address that they are
    given, with what to do. `notices_waiting`: notices of alerts that are not delivered yet. `notices_summarized`: those that
    found no room in the queue of their recipient, and that the stored summaries count."""

    status: Literal["ok", "degraded"] = "ok"
    version: str
    broker: BrokerHealth
    database: Literal["ok"] = "ok"
    database_fault: str = ""
    database_unwritable_since: float | None = None
    blocks: BlockTraffic = BlockTraffic()
    storage_warnings: list[str] = Field(default_factory=list)
    address_warnings: list[str] = Field(default_factory=list)
    notices_waiting: int = 0
    notices_summarized: int = 0


class ServerInfo(BaseModel):
    """`storage_warnings`: reasons why stored data is damaged or could be lost, `address_warnings`: why devices on other machines
    cannot reach the broker, `label_warnings`: labels that only devices report but a selection names, each with what to do."""

    version: str
    started_at: float
    broker: BrokerHealth
    storage_warnings: list[str] = Field(default_factory=list)
    address_warnings: list[str] = Field(default_factory=list)
    label_warnings: list[str] = Field(default_factory=list)
