"""State of the device that the supervisor keeps between two turns. Plain data, in memory; what must survive is on disk as well.

Each field names the module that changes it; every other module only reads.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from edgefleet_contract.wire.messages import Desired


@dataclass(frozen=True, slots=True)
class SpaceRefusals:
    """Attempts of one slot that ended for want of disk space, in a row, and the time of the last."""

    count: int
    at_s: float


@dataclass(frozen=True, slots=True)
class MemoryFault:
    """The last restart of the worker for its memory: why, and its wall time."""

    detail: str
    at: float


@dataclass(slots=True)
class SupervisorState:
    """State of one device. Times that end in `_s` are monotonic seconds."""

    desired: Desired | None = None
    """The newest document of the server, as it is on disk (`desired_state`)."""
    offered: Desired | None = None
    """A newer document that the disk does not take yet (`loop`)."""
    space_refusals: dict[str, SpaceRefusals] = field(default_factory=dict)
    """By slot (`action_executors`)."""
    deferral: str = ""
    """Why updates wait now; "" if they may continue (`observation.judge_moment`)."""
    litter: bool = True
    """Something may be here that nothing retains: set by every change of a record (`Device.change`) or of the desired
    document (`desired_state`), cleared by a collection (`action_executors`)."""
    damages: dict[str, int] = field(default_factory=dict)
    """Blob to how many times it was wrong as a whole in this attempt (`action_executors`)."""
    doubted_s: dict[str, float] = field(default_factory=dict)
    """Slot to the time of the load failure after which its active package was last verified again
    (`observation.follow_worker`)."""
    running_since: dict[str, float] = field(default_factory=dict)
    """Slot of a fleet pipeline that runs to the wall time since which it does (`observation.follow_worker`)."""
    missing_factories: dict[str, str] = field(default_factory=dict)
    """Slot to the reason why its factory package is not installed (`factory_packages`)."""
    factories_tried_s: float = 0.0
    """Time of the last try to install factory packages (`factory_packages`)."""
    memory_restarts_s: list[float] = field(default_factory=list)
    """Times of the last restarts of the worker for its memory (`action_executors`)."""
    memory_fault: MemoryFault | None = None
    """The last of them (`action_executors`)."""
    sink_faults: tuple[str, ...] = ()
    """A sentence for each event sink that has a fault (the service)."""
    connection_fault: str = ""
    """Why this device cannot connect, and what to do; "" if it can (the service)."""

    def refusals_of_space(self, slot: str) -> int:
        """The number of attempts of this slot that have ended for want of disk space, in a row."""
        found = self.space_refusals.get(slot)
        return found.count if found is not None else 0
