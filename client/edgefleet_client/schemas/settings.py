"""Types of the operations about settings.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class SettingEdit(TypedDict):
    """The data for changing a setting at runtime. `low`, `high`: bounds of a number. `zero`: the meaning of 0, if it has a
    special one. `pinned`: set by an option at the start of the server, so that it is read-only here. `default`: its value
    without a change. `changed_at` is null if unchanged. A `secret` is written, not read; labels are `key=value,
    key=value`."""

    changed_at: float | None
    changed_by: str
    choices: list[str]
    default: str | float
    high: float
    kind: Literal["number", "whole", "labels", "keys", "text", "secret", "choice"]
    low: float
    pinned: bool
    zero: str


class SettingGroup(TypedDict):
    """Fields of SettingGroup."""

    items: list[SettingView]
    name: str
    title: str


class SettingList(TypedDict):
    """By subject."""

    groups: list[SettingGroup]


class SettingView(TypedDict):
    """One effective setting, as text or as a number in `unit`. `change`: the option that sets it at the start of the server;
    empty = none. `edit` is null if the setting cannot be changed at runtime."""

    change: str
    edit: SettingEdit | None
    name: str
    title: str
    unit: Literal["", "s", "bytes", "bytes_per_s", "per_minute", "rows", "days", "percent", "frames"]
    value: str | float | bool


class SettingsChange(TypedDict):
    """New values by the names of settings; null = restore the value from the server's start."""

    values: dict[str, float | str | None]
