"""Decides which slots to load again because of their device.

There are three cases. A model that fell back to the CPU returns to its accelerator once that works again: it is probed at once
when a device was plugged in, otherwise at growing intervals, because a probe starts a process. If an accelerator fails every
frame, its model is loaded again: on the accelerator if it works, otherwise on a fallback that the policy allows. A model that
uses all devices of a kind extends to new ones: a device that did not answer at load is probed like a lost one, any other for some
time after a device was plugged in.

A device that failed runs is avoided for a pause that grows each time it fails again, because it may open without being able to
compute: the model is loaded again on another device that the policy allows, and returns when the pause is over and the device
answers. A device that is plugged in anew, or one that computed for `STEADY_S` after its pause, is trusted as before. Without
another device the model is loaded again on the same one, after the same pauses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import LoadedSlot, ModelSlot
from edgefleet_agent.pipeline.model.variant_order import ChosenDevice

PROBE_S, PROBE_S_MAX = 2.0, 60.0
"""First and longest interval between two probes of an accelerator."""
FAILED_MIN = 3
"""Consecutive failed runs after which an accelerator counts as failed."""
PAUSE_S, PAUSE_S_MAX = 4.0, 300.0
"""First and longest time for which a device that failed runs is avoided."""
STEADY_S = 60.0
"""Time of work after its pause that ends the history of a failed device."""


@dataclass(slots=True)
class _Probe:
    """Probes of the device of one model. wait_s: interval after `probe_at_s`."""

    model: object
    probe_at_s: float
    wait_s: float = PROBE_S


@dataclass(slots=True)
class _FailureCount:
    """Counts of a model at its last answered frame."""

    model: object
    frames: int
    failed_runs: int


@dataclass(slots=True)
class _Pause:
    """A device that failed runs in a slot, and why. next_s: duration of the pause that follows."""

    reason: str
    until_s: float
    next_s: float


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
        self._pauses: dict[tuple[str, ChosenDevice], _Pause] = {}

    def avoided(self, name: str, now_s: float) -> dict[ChosenDevice, str]:
        """Devices that the slot `name` avoids now, and the reason for each. From any thread."""
        return {
            device: pause.reason for (slot, device), pause in list(self._pauses.items()) if slot == name and now_s < pause.until_s
        }

    def due(self, slots: Mapping[str, ModelSlot], now_s: float) -> list[str]:
        """Names of the slots that have to be loaded again."""
        before, self._attached_before = self._attached_before, self._attached()
        plugged_in = bool(self._attached_before - before)
        self._forget(slots, plugged_in=plugged_in)
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
        pause = self._pauses.get((name, preferred))
        if (now_s < probe.probe_at_s and not plugged_in) or (pause is not None and now_s < pause.until_s):
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
        pause = self._pauses.get((name, loaded.model.chosen))
        if count is None or count.model is not loaded.model or loaded.frames_total != count.frames:
            self._counts[name] = _FailureCount(loaded.model, loaded.frames_total, loaded.failed_runs_total)
            if pause is not None and now_s - pause.until_s > STEADY_S:
                del self._pauses[name, loaded.model.chosen]
            return False
        if loaded.failed_runs_total - count.failed_runs < FAILED_MIN or (pause is not None and now_s < pause.until_s):
            return False
        self._avoid(name, loaded, now_s, pause.next_s if pause is not None else PAUSE_S)
        return True

    def _avoid(self, name: str, loaded: LoadedSlot, now_s: float, pause_s: float) -> None:
        device = loaded.model.chosen
        reason = f"{device.device} failed {FAILED_MIN} runs in a row: {loaded.run_error}"
        next_s = min(2 * pause_s, PAUSE_S_MAX)
        self._pauses[name, device] = _Pause(reason, now_s + pause_s, next_s)

    def _forget(self, slots: Mapping[str, ModelSlot], *, plugged_in: bool) -> None:
        """Forget the pauses of slots that are gone, and all after a device was plugged in."""
        for name, device in list(self._pauses):
            if plugged_in or name not in slots:
                del self._pauses[name, device]


def why_moved(before: LoadedModel, now: str) -> str:
    """The reason why a slot was moved, as text. now: the devices of the model after it was loaded again."""
    if before.preferred is not None:
        return f"{before.preferred.device} works again"
    joined = set(now.split(",")) - set(before.placement.device.split(","))
    if before.placement.beyond and joined and "cpu" not in joined:
        return f"{', '.join(sorted(joined))} works, too"
    return f"{before.placement.device} failed"
