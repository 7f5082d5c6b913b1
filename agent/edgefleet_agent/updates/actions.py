"""Actions that `plan` returns, as data. `action_executors.EXECUTORS` has one entry for each, checked by the type checker."""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do this turn."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """Ask the server for exactly these blobs for this slot; none = stop asking."""

    slot: str
    blobs: tuple[BlobSpec, ...]
    window: int = 1


@dataclass(frozen=True, slots=True)
class Seal:
    """Check a blob as a whole and give it its name."""

    blob: BlobSpec


@dataclass(frozen=True, slots=True)
class Assemble:
    """Put the folder of a package together."""

    digest: str


@dataclass(frozen=True, slots=True)
class StartSelfTest:
    """Try a package in a process of its own."""

    slot: str
    digest: str


@dataclass(frozen=True, slots=True)
class End:
    """Note that the attempt ended before the package became active."""

    slot: str
    target: SlotTarget
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Activate:
    """Begin the trial."""

    slot: str
    target: SlotTarget
    policy: UpdatePolicy


@dataclass(frozen=True, slots=True)
class Load:
    """Have the worker load a package and switch to it between two frames."""

    slot: str
    digest: str


@dataclass(frozen=True, slots=True)
class Relaunch:
    """Give way to another version of the agent itself."""

    why: str


@dataclass(frozen=True, slots=True)
class RestartWorker:
    """Rid the worker of a package that has no successor: only an end of the process does."""

    why: str


@dataclass(frozen=True, slots=True)
class Commit:
    """The trial is passed."""

    slot: str
    detail: str


@dataclass(frozen=True, slots=True)
class RollBack:
    """The trial failed."""

    slot: str
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class ReturnToPrevious:
    """The package is committed, and another part of its bundle failed: back to what was committed before."""

    slot: str
    detail: str


@dataclass(frozen=True, slots=True)
class Forget:
    """A candidate beside an incumbent is not wanted any more: its slot is empty again."""

    slot: str


@dataclass(frozen=True, slots=True)
class Unload:
    """Have the worker give back what a slot holds that is empty now."""

    slot: str


@dataclass(frozen=True, slots=True)
class UseFactory:
    """The committed package cannot be loaded any more."""

    slot: str
    detail: str


@dataclass(frozen=True, slots=True)
class Inspect:
    """Hash the files of the active package before they are loaded."""

    digest: str


@dataclass(frozen=True, slots=True)
class Quarantine:
    """The disk has damaged the files of the active package: count on them no more."""

    slot: str
    digest: str
    detail: str


@dataclass(frozen=True, slots=True)
class SetPipelines:
    """Tell the worker which pipelines to run."""


@dataclass(frozen=True, slots=True)
class Collect:
    """Remove what nothing needs."""


Action = (
    Wait
    | Fetch
    | Seal
    | Assemble
    | StartSelfTest
    | End
    | Activate
    | Load
    | Relaunch
    | RestartWorker
    | Commit
    | RollBack
    | ReturnToPrevious
    | Forget
    | Unload
    | UseFactory
    | Inspect
    | Quarantine
    | SetPipelines
    | Collect
)
