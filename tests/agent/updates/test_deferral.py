"""A ready update waits while it would disturb the device; the operator sees the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.supervisor.device import DeviceOptions
from edgefleet_agent.supervisor.observation import judge_moment
from edgefleet_agent.supervisor.slot_report import report_slots
from edgefleet_agent.updates.deferral import DAY_MINUTES, DeferralRules, MaintenanceHours, deferral
from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.fakes.packages import make_package

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 300_000, attempt="good")


@pytest.mark.parametrize(
    ("rules", "temperature_c", "busy", "minute", "words"),
    [
        (DeferralRules(), 120.0, False, 0, ""),
        (DeferralRules(max_temperature_c=80.0), 79.9, False, 0, ""),
        (DeferralRules(max_temperature_c=80.0), 80.0, False, 0, "80 °C"),
        (DeferralRules(max_temperature_c=80.0), None, False, 0, ""),
        (DeferralRules(inhibit_file="/run/edgefleet/busy"), None, True, 0, "/run/edgefleet/busy"),
        (DeferralRules(maintenance_window=MaintenanceHours.parse("22:00-05:30")), None, False, 5 * 60 + 29, ""),
        (DeferralRules(maintenance_window=MaintenanceHours.parse("22:00-05:30")), None, False, 5 * 60 + 30, "22:00 to 05:30"),
    ],
)
def test_reasons_to_wait(rules: DeferralRules, temperature_c: float | None, busy: bool, minute: int, words: str) -> None:
    found = deferral(rules, temperature_c, inhibited=busy, minute=minute)
    assert words in found if words else found == ""


@given(begin=st.integers(0, DAY_MINUTES - 1), end=st.integers(0, DAY_MINUTES - 1))
def test_hours_have_as_many_minutes_as_lie_between(begin: int, end: int) -> None:
    inside = sum(MaintenanceHours(begin, end).has(minute) for minute in range(DAY_MINUTES))
    assert inside == ((end - begin) % DAY_MINUTES or DAY_MINUTES)


def test_bytes_come_and_the_switch_waits(tmp_path: Path) -> None:
    busy = tmp_path / "busy"
    busy.touch()
    state = tmp_path / "state"
    bench = Bench(state, server_with(GOOD), DeviceOptions(state, DeferralRules(inhibit_file=str(busy))))
    bench.start(FACTORY.write(tmp_path / "factory"))
    bench.desire(1, GOOD.target)
    device = bench.device
    judge_moment(device, None, bench.clock.wall())
    bench.rest()
    record = bench.record()
    assert (record.active, record.trial) == (FACTORY.digest, None)
    observed = bench.observe()
    report = report_slots(desired_state.effective(device), observed, {}, 0.0)[SLOT]
    assert report.phase is SlotPhase.WAITING_WINDOW
    assert str(busy) in report.detail
    survey = observed.slots[SLOT].survey
    assert survey is not None
    assert survey.ready, "everything is here"
    busy.unlink()
    judge_moment(device, None, bench.clock.wall())
    assert bench.rest().phase is SlotPhase.COMMITTED
    bench.close()


def test_a_quota_of_models(tmp_path: Path) -> None:
    """Running packages count; a package that would not fit is refused before any byte of it is requested."""
    state, factory = tmp_path / "state", FACTORY.write(tmp_path / "factory")
    bench = Bench(state, server_with())
    bench.start(factory)
    used_bytes = bench.device.stores.packages.blobs.used_bytes()
    bench.close()
    bench = Bench(state, server_with(GOOD), DeviceOptions(state, models_bytes_max=used_bytes + 1_000_000))
    bench.start(factory)
    bench.desire(1, GOOD.target)
    report = bench.rest()
    assert (report.phase, report.reason) == (SlotPhase.REFUSED, Reason.NO_SPACE)
    assert not any(blob == GOOD.model.digest for blob, _ in bench.server.requested)
    bench.close()
