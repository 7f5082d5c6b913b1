"""Switches and the trigger of a running camera. Not stored: after a restart the file applies."""

from __future__ import annotations

from edgefleet_agent.sources.trigger import Trigger
from edgefleet_contract.core.errors import InputError

SWITCHES = ("detect", "motion", "recordings", "snapshots")
"""detect: analyse frames. motion: the motion stage gates the models. recordings, snapshots: store clips and pictures of events.
"""


class CameraSwitches:
    """Switches of one pipeline, all on at first. Thread-safe."""

    def __init__(self) -> None:
        self._off: frozenset[str] = frozenset()
        self.trigger = Trigger()

    def __getitem__(self, name: str) -> bool:
        """Whether the switch is on."""
        return name not in self._off

    def set(self, name: str, on: bool) -> None:
        """Turn a switch on or off.

        Raises:
            InputError: no switch of that name.
        """
        if name not in SWITCHES:
            raise InputError(f"unknown switch {name!r}; known are {', '.join(SWITCHES)}")
        self._off = self._off - {name} if on else self._off | {name}

    def states(self) -> dict[str, bool]:
        """Every switch."""
        return {name: self[name] for name in SWITCHES}
