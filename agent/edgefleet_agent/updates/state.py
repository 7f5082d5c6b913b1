"""The input of `plan`: one frozen snapshot of the device, taken in each turn. Pure values.

Times that end in `_s` are monotonic seconds of this process; state that must survive a power cut is in `model_store.slot_record`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from edgefleet_agent.model_store.package_store import SOUND, PackageIntegrity, PackageSurvey
from edgefleet_agent.model_store.slot_record import SlotRecord
from edgefleet_agent.model_store.trust import TRUSTED, EndorsedTarget
from edgefleet_contract.wire.messages import Running, SlotPhase
from edgefleet_contract.wire.reason_codes import Reason


class Check(str, Enum):
    """State of a candidate's self-test."""

    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The self-test of one package, in a process of its own."""

    digest: str
    check: Check
    reason: Reason = Reason.NONE
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """The worker refused a package `count` times in a row, the last time at `at_s`, or died of it (`died`)."""

    digest: str
    reason: Reason
    detail: str
    count: int
    at_s: float
    died: bool = False


@dataclass(frozen=True, slots=True)
class TrialWatch:
    """Observations of a trial in this process. `loaded_s` is None until the worker runs the package. `skipped`: frames that came
    while it was busy with others. `crash_detail`, `killed_for_memory` (by the kernel): of the last crash."""

    began_s: float
    loaded_s: float | None = None
    frames: int = 0
    errors: int = 0
    crashes: int = 0
    crash_detail: str = ""
    server_contact: bool = False
    skipped: int = 0
    killed_for_memory: bool = False


@dataclass(frozen=True, slots=True)
class ShadowWatch:
    """Observations of a package that runs beside the committed one. `loaded_s` is None while the worker does not run it.
    `frames`: analysed by both, on `empty` of which neither found anything; `agreement`: 0..1. `obstacle`: why the worker cannot
    run it."""

    digest: str
    began_s: float
    loaded_s: float | None = None
    frames: int = 0
    agreement: float = 0.0
    crashes: int = 0
    obstacle: str = ""
    empty: int = 0


@dataclass(frozen=True, slots=True)
class SlotFacts:
    """One slot. `survey`, `endorsement`, `fetching`, `fetch_reason` and `selftest` are about the desired package."""

    record: SlotRecord = field(default_factory=SlotRecord)
    soundness: PackageIntegrity = SOUND
    """Integrity of the active package's files."""
    survey: PackageSurvey | None = None
    endorsement: EndorsedTarget = TRUSTED
    fetching: frozenset[str] = frozenset()
    patching: bool = False
    """Parts of the missing blobs may be on the device; fetching waits for the patch."""
    fetch_reason: Reason = Reason.NONE
    fetch_detail: str = ""
    bytes_sent_again: int = 0
    selftest: SelfTest | None = None
    loading: bool = False
    load_failure: LoadFailure | None = None
    running: Running | None = None
    watch: TrialWatch | None = None
    beside: ShadowWatch | None = None
    beside_loading: bool = False
    """The worker loads the package that is to run beside the committed one."""
    objection: str = ""
    """For a pipeline's slot: the reason for which the desired pipeline cannot run on this device."""
    awaited: str = ""
    """For a pipeline's slot: a model slot that the desired pipeline needs and whose package is still being fetched."""
    disk_refusal: str = ""
    broadcast_fault: str = ""
    """Why the disk does not take the blocks of the desired package; they are requested again."""
    room_again: bool = False
    """The attempt has ended for want of disk space, and now there is room."""
    used: bool = True
    """Whether a pipeline sends frames to this slot; otherwise a trial does not wait for frames."""


@dataclass(frozen=True, slots=True)
class MemoryOverrun:
    """The worker's memory is over its ceiling, and it has to be restarted. `suspect`: the slot whose committed package is rolled
    back with that; "" for none. `restarted_s`: the last restart for memory."""

    detail: str
    suspect: str = ""
    restarted_s: float | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """The whole device. `deferral`: the reason for which updates wait; empty if they may continue. `read_only`: the disk takes no
    update. `overrun`: of the worker's memory, if it is to be answered now."""

    slots: Mapping[str, SlotFacts] = field(default_factory=dict)
    worker_up: bool = False
    pipelines_differ: bool = False
    disk_free_bytes: int = 0
    read_only: bool = False
    litter: bool = False
    tester_busy: bool = False
    deferral: str = ""
    overrun: MemoryOverrun | None = None


class Resume(str, Enum):
    """Actions for an unfinished update at the agent's start."""

    GO_ON = "go_on"
    TRY_AGAIN = "try_again"
    ROLL_BACK = "roll_back"


RESUME: dict[tuple[SlotPhase, int], Resume] = {
    # stage found at the start, earlier interruptions: action
    (SlotPhase.ABSENT, 0): Resume.GO_ON,  # request the descriptor
    (SlotPhase.FETCHING, 0): Resume.GO_ON,  # request the blocks whose bit is not set
    (SlotPhase.FETCHED, 0): Resume.GO_ON,  # seal and assemble again; both are repeatable
    (SlotPhase.VERIFIED, 0): Resume.GO_ON,  # the self-test runs again
    (SlotPhase.STAGED, 0): Resume.GO_ON,  # the self-test runs again: only failures are recorded
    (SlotPhase.TRIAL, 0): Resume.TRY_AGAIN,  # a power cut is rarely the model's fault; the trial starts again
    (SlotPhase.TRIAL, 1): Resume.ROLL_BACK,  # a second interruption suggests a model that crashes the device
    (SlotPhase.COMMITTED, 0): Resume.GO_ON,  # load it
    (SlotPhase.ROLLED_BACK, 0): Resume.GO_ON,  # load the fallback
    (SlotPhase.REFUSED, 0): Resume.GO_ON,  # stays refused
}
"""Action for an unfinished update: (phase, earlier interruptions of this trial) -> action."""


def resume(phase: SlotPhase, interruptions: int) -> Resume:
    """Look up `RESUME`; more interruptions than in the table use the last row of the phase."""
    known = max((times for found, times in RESUME if found is phase and times <= interruptions), default=0)
    return RESUME[phase, known]
