"""Observing a device: facts of models, fleet pipelines and the agent itself; no observation changes the state."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from edgefleet_agent.model_store.package_store import PackageState
from edgefleet_agent.model_store.slot_record import SlotRecord, end
from edgefleet_agent.settings import Pipelines
from edgefleet_agent.supervisor.device import Device, DeviceOptions
from edgefleet_agent.supervisor.observation import DAMAGES_MAX, NO_LAUNCHER, follow_worker, judge_moment, observe
from edgefleet_agent.updates.actions import Activate, End, Load, SetPipelines
from edgefleet_agent.updates.deferral import DeferralRules
from edgefleet_agent.updates.state import SlotFacts
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import SLOT, Bench, DirectWorker, server_with
from tests.agent.fakes.packages import Package, make_agent, make_package, make_pipeline

FACTORY = make_package("1.0.0", 1000, epoch=2)
GOOD = make_package("1.1.0", 300_000, epoch=2, attempt="good")
OLD = make_package("0.9.0", 1000, epoch=1, attempt="old")
AGENT = make_agent("101.0.0", attempt="agent")
LINE = "pipeline-line"
PIPELINE = """\
name = "line"
[source]
kind = "file"
uri = "line.mp4"
[[stages]]
name = "find"
kind = "detect"
model = "slot:{slot}"
"""
FLEET = make_pipeline("line", "1.0.0", PIPELINE.format(slot=SLOT), attempt="line")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A device with its factory package, before its first turn."""
    bench = Bench(tmp_path / "state", server_with(GOOD, OLD, AGENT, FLEET))
    bench.start(FACTORY.write(tmp_path / "factory"))
    yield bench
    bench.close()


def facts(bench: Bench, slot: str = SLOT) -> SlotFacts:
    return bench.observe().slots[slot]


def turn_until(bench: Bench, kind: type) -> None:
    for _ in range(50):
        if isinstance(bench.turn()[1], kind):
            return
    raise AssertionError(f"no {kind.__name__}")


def plain_state(device: Device) -> dict[str, object]:
    return dataclasses.asdict(device.state)


def test_without_a_desired_document_a_slot_has_its_factory_package_and_no_candidate(bench: Bench) -> None:
    observed = bench.observe()
    assert list(observed.slots) == [SLOT]
    found = observed.slots[SLOT]
    assert (found.record.active, found.survey, found.selftest, found.used) == (FACTORY.digest, None, None, False)
    assert (observed.worker_up, observed.litter, observed.tester_busy, observed.deferral) == (True, True, False, "")


def test_observing_twice_gives_the_same_and_changes_no_state(bench: Bench) -> None:
    bench.desire(1, GOOD.target)
    for _ in range(4):
        bench.turn()
        before, now, wall = plain_state(bench.device), bench.clock.monotonic(), bench.clock.wall()
        first = observe(bench.device, now, wall)
        again = observe(bench.device, now, wall)
        assert dataclasses.replace(again, disk_free_bytes=first.disk_free_bytes) == first  # other programs write, too
        assert plain_state(bench.device) == before


def test_a_candidate_is_surveyed_until_its_trial(bench: Bench) -> None:
    bench.desire(1, GOOD.target)
    survey = facts(bench).survey
    assert survey is not None
    assert [spec.digest for spec in survey.missing] == [GOOD.digest]
    turn_until(bench, Activate)
    found = facts(bench)
    assert found.record.trial is not None
    assert found.survey is None
    assert found.watch is not None


@pytest.mark.parametrize("settled", ["active", "ended"])
def test_nothing_is_to_be_done_for_a_candidate_that_is_settled(bench: Bench, settled: str) -> None:
    record, target = bench.record(), GOOD.target
    if settled == "active":
        target = replace(FACTORY.target, attempt="again")
    else:
        bench.device.change(SLOT, end(record, target.digest, target.attempt, Reason.NO_SPACE, "full", 0.0))
    bench.desire(1, target)
    assert facts(bench).survey is None


def test_an_older_epoch_than_that_of_the_trusted_package_is_refused(bench: Bench) -> None:
    bench.desire(1, OLD.target)
    turn_until(bench, End)
    ended = bench.record().ended
    assert ended is not None
    assert ended.reason is Reason.EPOCH_DOWNGRADE


def test_a_blob_that_was_wrong_too_often_is_refused(bench: Bench) -> None:
    bench.desire(1, GOOD.target)
    found = []
    for times in (DAMAGES_MAX - 1, DAMAGES_MAX):
        bench.device.state.damages[GOOD.digest] = times
        survey = facts(bench).survey
        assert survey is not None
        found.append((survey.reason, GOOD.digest[:12] in survey.detail))
    assert found == [(Reason.NONE, False), (Reason.HASH_MISMATCH, True)]


def test_a_package_that_just_failed_to_load_is_doubted_once(bench: Bench) -> None:
    turn_until(bench, Load)
    device, now = bench.device, bench.clock.monotonic()
    packages, worker = device.stores.packages, device.processes.worker
    assert facts(bench).soundness.state is PackageState.SOUND
    worker.load_failed(SLOT, FACTORY.digest, Reason.MODEL_REFUSED, "no", now)
    assert observe(device, now, 0.0).slots[SLOT].soundness.state is PackageState.SOUND, "`observe` alone changes nothing"
    follow_worker(device, now, 0.0)
    assert observe(device, now, 0.0).slots[SLOT].soundness.state is PackageState.UNKNOWN
    packages.inspect(FACTORY.digest, 10**9)
    assert facts(bench).soundness.state is PackageState.SOUND, "the same failure is no reason for another doubt"
    worker.load_failed(SLOT, FACTORY.digest, Reason.MODEL_REFUSED, "no", now + 1.0)
    assert facts(bench).soundness.state is PackageState.UNKNOWN


def test_the_room_for_models_is_the_smaller_of_free_space_and_quota(tmp_path: Path) -> None:
    for quota, expected in ((10**15, None), (1, 0), (0, None)):
        state = tmp_path / f"{quota}"
        bench = Bench(state, server_with(), DeviceOptions(state, models_bytes_max=quota))
        bench.start(tmp_path / "factory" if (tmp_path / "factory").exists() else FACTORY.write(tmp_path / "factory"))
        blobs = bench.device.stores.packages.blobs
        room_bytes = bench.observe().disk_free_bytes
        assert room_bytes == expected if expected is not None else abs(room_bytes - blobs.free_bytes()) < 2**30
        bench.close()


def test_an_agent_without_launcher_refuses_its_versions(bench: Bench) -> None:
    assert AGENT_SLOT not in bench.observe().slots
    bench.desire_all(1, {AGENT_SLOT: AGENT.target})
    found = facts(bench, AGENT_SLOT)
    assert found.survey is not None
    assert (found.survey.reason, found.survey.detail) == (Reason.INCOMPATIBLE, NO_LAUNCHER)
    assert (found.running, found.watch, found.patching) == (None, None, False)


def fetched(bench: Bench, package: Package, slot: str) -> None:
    """The package is here and ready, and not active."""
    bench.device.stores.packages.install_folder(package.write(bench.device.options.folder.with_name(f"source-{slot}")))


def test_a_pipeline_waits_for_the_model_that_is_still_being_fetched(bench: Bench) -> None:
    other = make_pipeline("line", "1.0.1", PIPELINE.format(slot="counter"), attempt="line")
    fetched(bench, other, LINE)
    bench.desire_all(1, {LINE: other.target})
    assert "requires a model in slot 'counter'; this device has detector" in facts(bench, LINE).objection
    bench.desire_all(2, {LINE: other.target, "counter": GOOD.target})
    assert (facts(bench, LINE).objection, facts(bench, LINE).awaited) == ("", "counter")


def test_a_fleet_pipeline_runs_once_the_worker_has_taken_it(bench: Bench) -> None:
    turn_until(bench, Load)
    bench.turn()
    fetched(bench, FLEET, LINE)
    bench.device.change(LINE, SlotRecord(active=FLEET.digest, last_good=FLEET.digest))
    assert facts(bench, LINE).running is None
    turn_until(bench, SetPipelines)
    bench.turn()
    found = facts(bench, LINE)
    assert found.running is not None
    assert (found.running.digest, found.load_failure, found.used) == (FLEET.digest, None, True)
    assert found.running.since_at == bench.clock.wall()
    assert bench.observe().slots[SLOT].used, "the model of the pipeline"
    bench.clock.advance(5.0)
    assert facts(bench, LINE).running == found.running, "the time of its start stays"
    cast("DirectWorker", bench.device.processes.worker.port).up = False
    assert facts(bench, LINE).running is None
    assert bench.device.state.running_since == {}


def test_a_fleet_pipeline_that_is_not_valid_counts_as_a_failed_load(bench: Bench) -> None:
    text = PIPELINE.format(slot=SLOT).replace('name = "line"', 'name = "another"')
    wrong = make_pipeline("line", "1.0.2", text, attempt="line")
    fetched(bench, wrong, LINE)
    bench.device.change(LINE, SlotRecord(active=wrong.digest, last_good=wrong.digest))
    failure = facts(bench, LINE).load_failure
    assert failure is not None
    assert (failure.digest, failure.reason) == (wrong.digest, Reason.TRIAL_UNHEALTHY)
    assert "name the slot after it" in failure.detail


def test_own_pipelines_decide_which_slots_are_used(bench: Bench) -> None:
    assert not facts(bench).used
    bench.device.pipelines.set_pushed({"line": PIPELINE.format(slot=SLOT)})
    assert facts(bench).used
    bench.device.pipelines.set_pushed(None)
    bench.device.pipelines.set_own(Pipelines(errors={"broken": "no"}))
    assert not facts(bench).used
    assert bench.device.pipelines.errors() == {"broken": "no"}


def test_the_moment_is_judged_by_the_rules_of_the_device(tmp_path: Path) -> None:
    busy = tmp_path / "busy"
    rules = DeferralRules(max_temperature_c=80.0, inhibit_file=str(busy))
    bench = Bench(tmp_path / "state", server_with(), DeviceOptions(tmp_path / "state", rules))
    for temperature_c, there, words in ((79.0, False, ""), (81.0, False, "81 °C"), (20.0, True, str(busy)), (20.0, False, "")):
        busy.touch() if there else busy.unlink(missing_ok=True)
        judge_moment(bench.device, temperature_c, bench.clock.wall())
        deferral = bench.observe().deferral
        assert words in deferral if words else deferral == ""
    bench.close()
