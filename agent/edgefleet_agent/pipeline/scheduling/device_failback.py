"""Decides which slots to load again because of their device.

There are three cases. A model that fell back to the CPU returns to its accelerator once that works again: it is probed at once
when a device was plugged in, otherwise at growing intervals, because a probe starts a process. If an accelerator fails every
frame, its model is loaded again: on the accelerator if it works, otherwise on a fallback that the policy allows. A model that
uses all devices of a kind extends to new ones: a device that did not answer at load is probed like a lost one, any other for some
time after a device was plugged in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from edgefleet_agent.pipeline.model.model_slots import ModelSlot

PROBE_S, PROBE_S_MAX = 2.0, 60.0
"""First and longest interval between two probes of an accelerator."""
FAILED_MIN = 3
"""Consecutive failed frames after which an accelerator counts as failed."""


@dataclass(slots=True)
class _Probe:
    """Probes of the device of one model. wait_s: interval after `probe_at_s`."""

    model: object
    probe_at_s: float
    wait_s: float = PROBE_S


@dataclass(slots=True)
class _FailureCount:
    """Counts of a model at its last answered frame. wait_s: interval between two reloads, the next at `retry_at_s`."""

    model: object
    frames: int
    errors: int
    retry_at_s: float = 0.0
    wait_s: float = PROBE_S


class DeviceFailback:
    """Checks the slots periodically. is_usable: whether a device (runtime, device) works now; may take seconds. attached: names
    of the devices that are plugged in; cheap. Called from one thread.
    """

    def __init__(self, is_usable: Callable[[str, str], bool], attached: Callable[[], frozenset[str]]) -> None:
        self._is_usable = is_usable
        self._attached = attached
        self._attached_before = attached()
        self._fallen_back: dict[str, _Probe] = {}
        self._growing: dict[str, _Probe] = {}
        self._counts: dict[str, _FailureCount] = {}

    def due(self, slots: Mapping[str, ModelSlot], now_s: float) -> list[str]:
        """Names of the slots that have to be loaded again."""
        before, self._attached_before = self._attached_before, self._attached()
        plugged_in = bool(self._attached_before - before)
        return [
            name
            for name, slot in slots.items()
            if self._failing(name, slot, now_s)
            or self._may_return(name, slot, now_s, plugged_in)
            or self._may_grow(name, slot, now_s, plugged_in)
        ]

    def _may_return(self, name: str, slot: ModelSlot, now_s: float, plugged_in: bool) -> bool:
        loaded = slot.loaded
        preferred = loaded.model.preferred if loaded is not None else None
        if loaded is None or preferred is None:
            self._fallen_back.pop(name, None)
            return False
        probe = self._fallen_back.get(name)
        if probe is None or probe.model is not loaded.model:
            probe = self._fallen_back[name] = _Probe(loaded.model, now_s + PROBE_S)
        if now_s < probe.probe_at_s and not plugged_in:
            return False
        probe.wait_s = PROBE_S if plugged_in else min(2 * probe.wait_s, PROBE_S_MAX)
        probe.probe_at_s = now_s + probe.wait_s
        return self._is_usable(preferred.runtime, preferred.device)

    def _may_grow(self, name: str, slot: ModelSlot, now_s: float, plugged_in: bool) -> bool:
        placement = slot.loaded.model.placement if slot.loaded is not None else None
        if slot.loaded is None or placement is None or not placement.beyond:
            self._growing.pop(name, None)
            return False
        probe = self._growing.get(name)
        if probe is None or probe.model is not slot.loaded.model:
            probe = self._growing[name] = _Probe(slot.loaded.model, now_s + PROBE_S if placement.short else math.inf)
        if plugged_in:  # a device may need seconds until it is usable
            probe.wait_s, probe.probe_at_s = PROBE_S / 2, now_s
        if now_s < probe.probe_at_s:
            return False
        probe.wait_s = min(2 * probe.wait_s, PROBE_S_MAX)
        probe.probe_at_s = now_s + probe.wait_s if placement.short or probe.wait_s < PROBE_S_MAX else math.inf
        return self._is_usable(placement.runtime, placement.beyond)

    def _failing(self, name: str, slot: ModelSlot, now_s: float) -> bool:
        loaded = slot.loaded
        if loaded is None or loaded.model.placement.device == "cpu":
            self._counts.pop(name, None)
            return False
        count = self._counts.get(name)
        if count is None or count.model is not loaded.model or loaded.frames_total != count.frames:
            self._counts[name] = _FailureCount(loaded.model, loaded.frames_total, loaded.errors_total)
            return False
        if loaded.errors_total - count.errors < FAILED_MIN or now_s < count.retry_at_s:
            return False
        count.retry_at_s, count.wait_s = now_s + count.wait_s, min(2 * count.wait_s, PROBE_S_MAX)
        return True
