"""Actions that `plan` returns, as data. `action_executors.EXECUTORS` has one entry for each, checked by the type checker."""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing in this turn."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """Request exactly these blobs from the server for this slot; none: stop requesting."""

    slot: str
    blobs: tuple[BlobSpec, ...]
    window: int = 1


@dataclass(frozen=True, slots=True)
class Seal:
    """Check a blob as a whole and rename it to its digest."""

    blob: BlobSpec


@dataclass(frozen=True, slots=True)
class Assemble:
    """Assemble the folder of a package."""

    digest: str


@dataclass(frozen=True, slots=True)
class StartSelfTest:
    """Test a package in a separate process."""

    slot: str
    digest: str


@dataclass(frozen=True, slots=True)
class End:
    """Record that the attempt ended before the package became active."""

    slot: str
    target: SlotTarget
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Reopen:
    """Try an attempt again that ended for want of disk space."""

    slot: str


@dataclass(frozen=True, slots=True)
class Activate:
    """Start the trial. `note`: what running beside the committed package has shown."""

    slot: str
    target: SlotTarget
    policy: UpdatePolicy
    note: str = ""


@dataclass(frozen=True, slots=True)
class Load:
    """Let the worker load a package and switch to it between two frames."""

    slot: str
    digest: str


@dataclass(frozen=True, slots=True)
class Relaunch:
    """End this process so that another version of the agent starts."""

    why: str


@dataclass(frozen=True, slots=True)
class RestartWorker:
    """Restart the worker to unload a package without a successor; only the end of the process unloads it."""

    why: str


@dataclass(frozen=True, slots=True)
class Commit:
    """Commit the package: its trial has passed, with so many `frames` (None: of a package that no frames are shown)."""

    slot: str
    detail: str
    frames: int | None = None


@dataclass(frozen=True, slots=True)
class RollBack:
    """Roll back the package: its trial has failed."""

    slot: str
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class ReturnToPrevious:
    """Return to the package committed before, because another part of the bundle failed."""

    slot: str
    detail: str


@dataclass(frozen=True, slots=True)
class RestartForMemory:
    """Restart the worker, whose memory is over its ceiling. `counts`: against the committed packages, because no other runs."""

    detail: str
    counts: bool = True


@dataclass(frozen=True, slots=True)
class ReturnForMemory:
    """Return to the package committed before, and restart the worker: its memory was over its ceiling again and again."""

    slot: str
    detail: str


@dataclass(frozen=True, slots=True)
class RunBeside:
    """Run the desired package on the frames of the committed one, without effect."""

    slot: str
    digest: str


@dataclass(frozen=True, slots=True)
class StopBeside:
    """Unload a package that ran beside the committed one and is no longer desired."""

    slot: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Empty the slot of a shadow candidate that is no longer desired."""

    slot: str


@dataclass(frozen=True, slots=True)
class Unload:
    """Let the worker unload the package of a slot that is now empty."""

    slot: str


@dataclass(frozen=True, slots=True)
class UseFactory:
    """Run the factory package, because the committed one cannot be loaded any more."""

    slot: str
    detail: str


@dataclass(frozen=True, slots=True)
class Inspect:
    """Hash the files of the active package before they are loaded."""

    digest: str


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Stop using the active package, whose files the disk has damaged."""

    slot: str
    digest: str
    detail: str


@dataclass(frozen=True, slots=True)
class SetPipelines:
    """Send the pipelines to run to the worker."""


@dataclass(frozen=True, slots=True)
class Collect:
    """Remove packages and blobs that are no longer needed."""


Action = (
    Wait
    | Fetch
    | Seal
    | Assemble
    | StartSelfTest
    | End
    | Reopen
    | Activate
    | Load
    | Relaunch
    | RestartWorker
    | Commit
    | RollBack
    | ReturnToPrevious
    | RestartForMemory
    | ReturnForMemory
    | RunBeside
    | StopBeside
    | Forget
    | Unload
    | UseFactory
    | Inspect
    | Quarantine
    | SetPipelines
    | Collect
)
