"""Which slots have to be loaded again because of where they compute.

Three reasons. A model that fell back to the CPU goes home as soon as its accelerator answers again: at once when something was
plugged in, else it is asked ever less often, for asking starts a process. An accelerator that fails every frame is given up:
loading again takes it, if it answers, or falls back as the policy allows. A model that uses all devices of a kind grows
likewise: one that was there and did not answer is asked for as one that was lost,
any other for some time after something was plugged in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from edgefleet_agent.pipeline.model.model_slots import ModelSlot

ASK_S, ASK_S_MAX = 2.0, 60.0
"""How soon after falling back the accelerator is asked for, and how often at last."""
FAILED_MIN = 3
"""Frames lost in a row, without one answered, after which an accelerator has failed."""


@dataclass(slots=True)
class _Away:
    """A model that fell back. wait_s: until it is asked again after `ask_at_s`."""

    model: object
    ask_at_s: float
    wait_s: float = ASK_S


@dataclass(slots=True)
class _Count:
    """What a model had done when it last answered a frame. wait_s: until it is loaded again after `again_at_s`."""

    model: object
    frames: int
    errors: int
    again_at_s: float = 0.0
    wait_s: float = ASK_S


class DeviceFailback:
    """Looks at the slots now and then. answers: whether a device can be computed on now; may take seconds. attached: names of
    what is plugged in, cheap. Called from one thread.
    """

    def __init__(self, answers: Callable[[str, str], bool], attached: Callable[[], frozenset[str]]) -> None:
        self._answers = answers
        self._attached = attached
        self._seen = attached()
        self._away: dict[str, _Away] = {}
        self._short: dict[str, _Away] = {}
        self._counts: dict[str, _Count] = {}

    def due(self, slots: Mapping[str, ModelSlot], now_s: float) -> list[str]:
        """Names of the slots that have to be loaded again."""
        before, self._seen = self._seen, self._attached()
        plugged_in = bool(self._seen - before)
        return [
            name
            for name, slot in slots.items()
            if self._failing(name, slot, now_s)
            or self._may_go_home(name, slot, now_s, plugged_in)
            or self._may_grow(name, slot, now_s, plugged_in)
        ]

    def _may_go_home(self, name: str, slot: ModelSlot, now_s: float, plugged_in: bool) -> bool:
        occupant = slot.occupant
        home = occupant.model.home if occupant is not None else None
        if occupant is None or home is None:
            self._away.pop(name, None)
            return False
        away = self._away.get(name)
        if away is None or away.model is not occupant.model:
            away = self._away[name] = _Away(occupant.model, now_s + ASK_S)
        if now_s < away.ask_at_s and not plugged_in:
            return False
        away.wait_s = ASK_S if plugged_in else min(2 * away.wait_s, ASK_S_MAX)
        away.ask_at_s = now_s + away.wait_s
        return self._answers(home.runtime, home.device)

    def _may_grow(self, name: str, slot: ModelSlot, now_s: float, plugged_in: bool) -> bool:
        placement = slot.occupant.model.placement if slot.occupant is not None else None
        if slot.occupant is None or placement is None or not placement.beyond:
            self._short.pop(name, None)
            return False
        away = self._short.get(name)
        if away is None or away.model is not slot.occupant.model:
            away = self._short[name] = _Away(slot.occupant.model, now_s + ASK_S if placement.short else math.inf)
        if plugged_in:  # it may take seconds until it can be used
            away.wait_s, away.ask_at_s = ASK_S / 2, now_s
        if now_s < away.ask_at_s:
            return False
        away.wait_s = min(2 * away.wait_s, ASK_S_MAX)
        away.ask_at_s = now_s + away.wait_s if placement.short or away.wait_s < ASK_S_MAX else math.inf
        return self._answers(placement.runtime, placement.beyond)

    def _failing(self, name: str, slot: ModelSlot, now_s: float) -> bool:
        occupant = slot.occupant
        if occupant is None or occupant.model.placement.device == "cpu":
            self._counts.pop(name, None)
            return False
        count = self._counts.get(name)
        if count is None or count.model is not occupant.model or occupant.frames_total != count.frames:
            self._counts[name] = _Count(occupant.model, occupant.frames_total, occupant.errors_total)
            return False
        if occupant.errors_total - count.errors < FAILED_MIN or now_s < count.again_at_s:
            return False
        count.again_at_s, count.wait_s = now_s + count.wait_s, min(2 * count.wait_s, ASK_S_MAX)
        return True
