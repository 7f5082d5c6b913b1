"""What people switch off and on at a camera while it runs, and what they pull. Not kept over a restart: then the file holds."""

from __future__ import annotations

from edgefleet_agent.sources.trigger import Trigger
from edgefleet_contract.core.errors import InputError

SWITCHES = ("detect", "motion", "recordings", "snapshots")
"""detect: whether anything looks at the frames. motion: whether the motion stage keeps frames from the models. recordings,
snapshots: whether clips and pictures of events are kept."""


class CameraSwitches:
    """Of one pipeline, all on at first. From any thread."""

    def __init__(self) -> None:
        self._off: frozenset[str] = frozenset()
        self.trigger = Trigger()

    def __getitem__(self, name: str) -> bool:
        """Whether it is on."""
        return name not in self._off

    def set(self, name: str, on: bool) -> None:
        """Switch it.

        Raises:
            InputError: there is none of that name.
        """
        if name not in SWITCHES:
            raise InputError(f"unknown switch {name!r}; known are {', '.join(SWITCHES)}")
        self._off = self._off - {name} if on else self._off | {name}

    def states(self) -> dict[str, bool]:
        """Every switch."""
        return {name: self[name] for name in SWITCHES}
