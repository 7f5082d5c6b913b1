"""A committed version with which the worker's memory grows: restarts that count, then the version before, with the cause."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from edgefleet_agent.cli.status import table
from edgefleet_agent.machine.vitals import VitalsProbe
from edgefleet_agent.model_store.slot_record import EndedTrial, SlotRecord
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.supervisor.action_executors import execute
from edgefleet_agent.supervisor.status_report import StatusReporter
from edgefleet_agent.supervisor.worker.kernel_kills import KILLED
from edgefleet_agent.supervisor.worker.memory_watch import MemoryWatch
from edgefleet_agent.updates.actions import Commit, RestartForMemory, ReturnForMemory, RollBack
from edgefleet_agent.updates.memory_rules import RESTART_S_MAX, SUSPECT_S, WITHIN_S, judge_overrun, suspect
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.wire.messages import Desired, SlotPhase, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import SLOT, START_BYTES, Bench, DirectWorker, server_with
from tests.agent.fakes.packages import make_package

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 1000, attempt="good")
LEAKING = make_package("1.2.0", 1000, attempt="leaking", description="leaking")
LEAK_BYTES = 15_000_000
"""With each heartbeat: 30 MB a second, as 6 MB an inference at 5 frames a second."""
NOW, AT = 10_000.0, 1_700_000_000.0
OTHER = "counter"


def life(root: Path, leaks: dict[str, int]) -> Bench:
    bench = Bench(root, server_with(GOOD, LEAKING), worker=DirectWorker(leaks=leaks, private_bytes=START_BYTES))
    factory = root.with_name("factory")
    bench.start(factory if factory.exists() else FACTORY.write(factory))
    return bench


def actions_of(bench: Bench, seconds: float) -> list[object]:
    """The supervisor's actions about memory, in order."""
    kinds = (RestartForMemory, ReturnForMemory, RollBack, Commit)
    return [action for _ in range(int(seconds * 2)) if isinstance(action := bench.turn()[1], kinds)]


def test_a_version_that_leaks_after_its_commit_is_rolled_back_at_the_third_overrun(tmp_path: Path) -> None:
    bench = life(tmp_path / "state", {"leaking": LEAK_BYTES})
    bench.desire(1, GOOD.target)
    bench.rest()
    bench.desire(2, LEAKING.target)
    kinds = [type(action) for action in actions_of(bench, 60)]
    assert kinds == [Commit, RestartForMemory]
    assert bench.device.processes.worker.port.restarts == 1
    report = bench.device_report()
    assert (report.phase, report.reason) == (SlotPhase.COMMITTED, Reason.OVER_MEMORY)
    assert report.detail == "restarts of the worker within 7 days because its memory was over its ceiling: 1"

    kinds = [type(action) for action in actions_of(bench, 300)]
    assert kinds == [RestartForMemory, ReturnForMemory]
    report, record = bench.device_report(), bench.record()
    assert (report.phase, report.reason, report.attempt) == (SlotPhase.ROLLED_BACK, Reason.OVER_MEMORY, "leaking")
    assert report.detail.startswith(
        "the worker's memory was over its ceiling 3 times within 7 days of this version; the worker's"
    )
    assert (record.active, record.last_good, record.overruns) == (GOOD.digest, GOOD.digest, [])
    assert set(record.quarantine) == {LEAKING.digest}
    assert bench.device.processes.worker.running[SLOT].digest == GOOD.digest
    assert actions_of(bench, 60) == [], "what runs now does not grow"
    bench.close()


def test_a_power_cut_forgets_no_overrun(tmp_path: Path) -> None:
    bench = life(tmp_path / "state", {"leaking": LEAK_BYTES})
    bench.desire(1, GOOD.target)
    bench.rest()
    bench.desire(2, LEAKING.target)
    actions_of(bench, 60)
    bench.close()
    bench = life(tmp_path / "state", {"leaking": LEAK_BYTES})
    assert [type(action) for action in actions_of(bench, 300)] == [RestartForMemory, ReturnForMemory]
    bench.close()


def test_on_trial_the_second_overrun_ends_the_trial(tmp_path: Path) -> None:
    bench = life(tmp_path / "state", {"leaking": 20 * LEAK_BYTES})
    bench.desire(1, GOOD.target)
    bench.rest()
    policy = UpdatePolicy(trial_s=600.0)
    desired_state.accept(bench.device, Desired(device="d", generation=2, slots={SLOT: LEAKING.target}, policy=policy))
    kinds = [type(action) for action in actions_of(bench, 200)]
    assert kinds == [RestartForMemory, RollBack]
    report, record = bench.device_report(), bench.record()
    assert (report.phase, report.reason) == (SlotPhase.ROLLED_BACK, Reason.OVER_MEMORY)
    assert (record.active, record.overruns) == (GOOD.digest, []), "the version before is not blamed"
    bench.close()


def kernel_kill(bench: Bench) -> list[object]:
    """The kernel ends the worker, which comes back; returns the supervisor's actions about memory."""
    port = bench.device.processes.worker.port
    assert isinstance(port, DirectWorker)
    port.crashes, port.incarnation = port.crashes + 1, port.incarnation + 1
    port.crash_detail, port.killed_for_memory = KILLED, True
    return actions_of(bench, 5)


def test_a_version_for_which_the_kernel_ends_the_worker_is_rolled_back_at_the_third_time(tmp_path: Path) -> None:
    """Each kill counts, also those within the pause between two restarts."""
    bench = life(tmp_path / "state", {})
    bench.desire(1, GOOD.target)
    bench.rest()
    bench.desire(2, LEAKING.target)
    bench.rest()
    assert [type(action) for _ in range(2) for action in kernel_kill(bench)] == [RestartForMemory] * 2
    assert [type(action) for action in kernel_kill(bench)] == [ReturnForMemory]
    report = bench.device_report()
    assert (report.phase, report.reason, report.attempt) == (SlotPhase.ROLLED_BACK, Reason.OVER_MEMORY, "leaking")
    assert report.detail.endswith(f"3 times within 7 days of this version; {KILLED}")
    bench.close()


def test_on_trial_the_second_kill_of_the_kernel_ends_the_trial(tmp_path: Path) -> None:
    bench = life(tmp_path / "state", {})
    bench.desire(1, GOOD.target)
    bench.rest()
    policy = UpdatePolicy(trial_s=600.0)
    desired_state.accept(bench.device, Desired(device="d", generation=2, slots={SLOT: LEAKING.target}, policy=policy))
    actions_of(bench, 30)
    assert [type(action) for action in kernel_kill(bench)] == [RestartForMemory]
    assert [type(action) for action in kernel_kill(bench)][:1] == [RollBack]
    report = bench.device_report()
    assert (report.phase, report.reason, report.detail) == (SlotPhase.ROLLED_BACK, Reason.OVER_MEMORY, KILLED)
    bench.close()


def test_without_a_way_back_restarts_become_rare_and_are_reported(tmp_path: Path) -> None:
    """The factory package itself leaks: nothing could take its place."""
    bench = life(tmp_path / "state", {"version": LEAK_BYTES})
    reporter = StatusReporter(bench.device, VitalsProbe(tmp_path), "b", 10.0, bench.clock.monotonic())
    restarts = [action for action in actions_of(bench, 600) if isinstance(action, RestartForMemory)]
    assert len(restarts) == 4, "after 30, 90, 210 and 450 s"
    execute(bench.device, RestartForMemory("grows"), bench.clock.monotonic(), bench.clock.wall())
    status = reporter.snapshot("", bench.clock.wall())
    assert status["fault"] == "the worker was restarted for its memory: grows"
    assert "fault      the worker was restarted for its memory: grows" in table(status)
    sample = to_plain(reporter._sample(10.0, bench.clock.wall()))
    assert sample["memory_fault"] == status["fault"]
    assert reporter.snapshot("", bench.clock.wall() + 2 * 86_400)["fault"] == ""
    bench.close()


def committed(digest: str, at: float, overruns: list[float], previous: str | None = "a" * 64) -> SlotRecord:
    ended = EndedTrial(digest=digest, phase=SlotPhase.COMMITTED, at=at)
    return SlotRecord(active=digest, last_good=digest, previous=previous, ended=ended, overruns=overruns)


TWO = [AT - 200, AT - 100]


@pytest.mark.parametrize(
    ("records", "slot"),
    [
        ({SLOT: committed("b" * 64, AT - 1000, TWO)}, SLOT),
        ({SLOT: committed("b" * 64, AT - 1000, TWO[:1])}, ""),
        ({SLOT: committed("b" * 64, AT - 1000, [AT - WITHIN_S - 1, *TWO[:1]])}, ""),
        ({SLOT: committed("b" * 64, AT - SUSPECT_S - 1, TWO)}, ""),
        ({SLOT: committed("b" * 64, AT - 1000, TWO, previous=None)}, ""),
        ({SLOT: committed("b" * 64, AT - 1000, TWO), OTHER: committed("c" * 64, AT - 2000, TWO)}, SLOT),
        ({SLOT: committed("b" * 64, AT - 1000, TWO), OTHER: committed("c" * 64, AT - 2000, [AT - 1500, *TWO])}, ""),
        ({SLOT: committed("b" * 64, AT - 1000, TWO), AGENT_SLOT: committed("c" * 64, AT - 500, [])}, ""),
    ],
    ids=[
        "the third",
        "the second",
        "one long ago",
        "committed long ago",
        "no way back",
        "the newer of two",
        "it was so before it came",
        "the agent is newer",
    ],
)
def test_who_is_suspected(records: dict[str, SlotRecord], slot: str) -> None:
    assert suspect(records, AT) == slot


def test_restarts_back_off() -> None:
    times = [NOW]
    for _ in range(12):
        later = next(now for now in range(int(times[-1]), 10**6) if judge_overrun("grows", {}, times, float(now), AT))
        times.append(float(later))
    pauses = [second - first for first, second in itertools.pairwise(times)]
    assert pauses[:4] == [60.0, 120.0, 240.0, 480.0]
    assert max(pauses) == RESTART_S_MAX


def test_a_worker_without_a_figure_of_its_memory_is_not_judged() -> None:
    watch = MemoryWatch(1)
    watch.take(0, 100.0)
    assert (watch.ceiling, watch.overrun, watch.warning) == (0, "", "")
