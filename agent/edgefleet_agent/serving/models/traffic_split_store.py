"""Persistent traffic splits: the shares of the configuration, overridden by changes through the API.

A change through the API holds until the configured shares of its model change.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from edgefleet_agent.core.damaged_files import put_aside
from edgefleet_agent.core.disk_faults import DiskFaults, DiskState, state_of
from edgefleet_agent.serving.config.traffic_split import SHARES_MAX, WEIGHT_MAX
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_contract.core.atomic_files import read_if_there, write_atomic
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.core.msgspec_setup import ensure_decoder

MODELS_MAX = 256
"""Limit of models with changed shares."""
FILE_BYTES_MAX = 1024 * 1024
LOSS = "using the traffic splits of the configuration"

Shares = Annotated[dict[str, Annotated[int, Meta(ge=0, le=WEIGHT_MAX)]], Meta(max_length=SHARES_MAX)]


class SplitChange(msgspec.Struct, frozen=True):
    """Shares set through the API. planned: the configured shares at that time."""

    shares: Shares
    planned: Shares


class TrafficSplitStore:
    """Stores changed shares. planned: model -> version -> share of the configuration. file: of the changes. faults: where a
    damaged file is reported; the configured shares apply then."""

    def __init__(self, planned: Mapping[str, Shares], file: Path, faults: DiskFaults | None = None) -> None:
        self._faults = faults or DiskFaults()
        self._planned = planned
        self._file = file
        self._changes = self._read()

    def standing(self) -> dict[str, Shares]:
        """The shares of all models; empty ones: the newest version has all."""
        return {**self._planned, **{model: change.shares for model, change in self._changes.items()}}

    def keep(self, model: str, shares: Mapping[str, int]) -> None:
        """Store a change.

        Raises:
            CallError: too many models have changed shares, or the file cannot be written.
        """
        planned = self._planned.get(model, {})
        changes = {name: change for name, change in self._changes.items() if name != model}
        if shares != planned:
            changes[model] = SplitChange(dict(shares), planned)
        if len(changes) > MODELS_MAX:
            raise CallError(Code.UNAVAILABLE, f"shares of more than {MODELS_MAX} models; remove some with an empty object")
        try:
            write_atomic(self._file, msgspec.json.format(msgspec.json.encode(changes), indent=2))
        except StoreError as cause:
            raise CallError(Code.UNAVAILABLE, f"the traffic splits cannot be stored: {cause}") from cause
        self._changes = changes

    def _read(self) -> dict[str, SplitChange]:
        try:
            data = read_if_there(self._file, FILE_BYTES_MAX)
        except StoreError as error:
            folder = self._file.parent
            self._faults.set(self._file.name, state_of(error, folder), f"{error}; {LOSS}", folder)
            return {}
        if data is None:
            return {}
        try:
            known = msgspec.json.decode(data, type=ensure_decoder(dict[str, SplitChange]))
        except (msgspec.DecodeError, UnicodeDecodeError) as cause:
            text = f"{self._file} was damaged ({cause}); {LOSS}"
            with contextlib.suppress(StoreError):
                text += f"; see {put_aside(self._file, time.time()).name}"
            self._faults.set(self._file.name, DiskState.DAMAGED, text)
            return {}
        return {model: change for model, change in known.items() if change.planned == self._planned.get(model, {})}
