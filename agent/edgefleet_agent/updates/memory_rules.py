"""Rules for a worker whose memory is over its ceiling: a restart, the third time the return to the version before. Pure.

One process runs all models, so its memory does not say whose it is. Suspected is the version that was committed last, and only if
the memory was never over the ceiling in the days before it came. Without such a version, or a version before it, the worker is
restarted, the device reports it, and nothing is rolled back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edgefleet_agent.model_store.slot_record import SlotRecord
from edgefleet_agent.updates.state import MemoryOverrun
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.package.shadow import shadowed
from edgefleet_contract.wire.messages import SlotPhase

OVERRUNS_MAX = 3
"""The overrun with which the version is rolled back."""
WITHIN_S = 7 * 86_400.0
"""Overruns that are further back are not counted."""
SUSPECT_S = 30 * 86_400.0
"""A version that was committed before is not suspected: something else has changed."""
RESTART_S = 60.0
RESTART_S_MAX = 600.0
"""Pause between two restarts for memory: after the first, and after many."""


def judge_overrun(
    detail: str,
    records: Mapping[str, SlotRecord],
    restarts_s: Sequence[float],
    now: float,
    wall: float,
    *,
    killed: bool = False,
) -> MemoryOverrun | None:
    """The answer to an overrun; None where there is none, or the last restart is too short ago.

    `records`: of all slots. `restarts_s`: monotonic times of the restarts for memory. `now`: monotonic, `wall`: wall time.
    `killed`: the kernel has ended the worker already, which is counted at once.
    """
    if not detail:
        return None
    last_s = restarts_s[-1] if restarts_s else None
    slot = suspect(records, wall)
    if slot:
        times = f"the worker's memory was over its ceiling {OVERRUNS_MAX} times within {WITHIN_S / 86_400:.0f} days"
        return MemoryOverrun(f"{times} of this version; {detail}", slot, last_s)
    if not killed and last_s is not None and now - last_s < min(RESTART_S * 2.0 ** min(len(restarts_s) - 1, 10), RESTART_S_MAX):
        return None
    return MemoryOverrun(detail, restarted_s=last_s)


def suspect(records: Mapping[str, SlotRecord], wall: float) -> str:
    """The slot whose version is to be rolled back at one more overrun; "" for none."""
    committed = {slot: at for slot, record in records.items() if (at := _committed_at(record)) is not None}
    newest = max(committed, key=lambda slot: committed[slot], default="")
    if not newest or newest == AGENT_SLOT or abs(wall - committed[newest]) > SUSPECT_S:
        return ""
    overruns = len(recent(records[newest].overruns, wall))
    before = max((len(recent(record.overruns, wall)) for slot, record in records.items() if slot != newest), default=0)
    has_way_back = shadowed(newest) is not None or records[newest].way_back is not None
    return newest if overruns + 1 >= OVERRUNS_MAX and before <= overruns and has_way_back else ""


def recent(overruns: Sequence[float], wall: float) -> list[float]:
    """The overruns that count. A clock that was set changes little: only the distance matters."""
    return [at for at in overruns if abs(wall - at) <= WITHIN_S]


def _committed_at(record: SlotRecord) -> float | None:
    """The time at which the running version of a slot was committed; None if its last attempt was another."""
    ended = record.ended
    if ended is None or ended.phase is not SlotPhase.COMMITTED or ended.digest != record.active or record.trial is not None:
        return None
    return ended.at
