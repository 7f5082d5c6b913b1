"""Sentences for people: every state has one, and they say what is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from edgefleet_contract.wire.messages import PipelineGauges, Reported, SlotPhase, SlotReport, Telemetry
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.domain.rollout import device_warnings
from edgefleet_server.domain.rollout.attempts import RESTORED
from edgefleet_server.domain.rollout.explain import Case, why
from edgefleet_server.domain.states import OFFLINE_AFTER_UPDATE, AttemptState, RolloutState

CASE = Case(AttemptState.TRIAL, "", "", True, 990.0, 988.0, 0, 0, "canary", RolloutState.RUNNING)


@pytest.mark.parametrize("state", AttemptState)
@pytest.mark.parametrize("online", [True, False])
def test_every_state_has_a_sentence(state: AttemptState, online: bool) -> None:
    """With and without the device there."""
    sentence = why(replace(CASE, state=state, online=online), 1000.0)
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert "{" not in sentence


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "On trial for 12 s."),
        ({"state": AttemptState.QUEUED}, "Waiting for wave 'canary'."),
        (
            {"state": AttemptState.QUEUED, "rollout_state": RolloutState.PAUSED},
            "Waiting for wave 'canary'; the rollout is paused.",
        ),
        (
            {"state": AttemptState.FETCHING, "bytes_done": 1_200_000, "bytes_total": 3_900_000},
            "Fetching: 1.2 MB of 3.9 MB (30 %).",
        ),
        (
            {"state": AttemptState.OFFERED, "online": False, "last_seen_at": 280.0},
            "Offline for 12 min: the update starts once the device is online.",
        ),
        (
            {"state": AttemptState.ROLLED_BACK, "reason": "trial_crash", "detail": "signal 11"},
            "Rolled back to the committed version: the worker crashed during the trial; signal 11.",
        ),
        (
            {"state": AttemptState.TIMED_OUT, "reason": OFFLINE_AFTER_UPDATE},
            "Timed out: the device went offline after the update.",
        ),
        (
            {"state": AttemptState.REJECTED, "reason": "no_space", "detail": "3 MB free"},
            "Device fault: refused before activation: not enough free disk space; 3 MB free.",
        ),
        (
            {"state": AttemptState.ROLLED_BACK, "reason": "operator_rollback", "detail": RESTORED},
            "Restored to the previous version by an operator.",
        ),
        ({"state": AttemptState.REJECTED, "reason": "made_up_later"}, "Refused before activation: made up later."),
    ],
)
def test_sentences(change: dict[str, object], sentence: str) -> None:
    """Times in units people use, reasons in words, details as the device gave them."""
    assert why(replace(CASE, **change), 1000.0) == sentence  # type: ignore[arg-type]  # fields by name


def test_attention() -> None:
    """Problems give warnings; a healthy device gives none."""
    assert device_warnings.of_slots({"detector": SlotReport(phase=SlotPhase.COMMITTED)}) == []
    assert device_warnings.of_slots({"a": SlotReport(phase=SlotPhase.ROLLBACK_FAILED)}) == ["a: rollback failed"]
    refused = SlotReport(phase=SlotPhase.REFUSED, reason=Reason.INCOMPATIBLE, detail="pipeline entrance has no label 'person'")
    assert device_warnings.of_slots({"a": refused}) == [
        "a: update refused: the package is not compatible with the device (pipeline entrance has no label 'person')"
    ]
    account = Reported(device="d", boot="b", version=1, generation=0, sent_at=1.0, fault="no space left for x; free some space")
    assert device_warnings.of_report(account) == ["device: no space left for x; free some space"]
    account.slots = {"a": SlotReport(phase=SlotPhase.ROLLBACK_FAILED)}
    account.fault = ""
    assert device_warnings.of_report(account) == ["a: rollback failed"]
    assert device_warnings.of_telemetry(Telemetry(at=1.0, disk_free_bytes=10**10, temperature_c=60.0)) == []
    lost = PipelineGauges(state="source_lost", coverage=0.0, frames_total=100, reason="the password is wrong; correct it")
    assert device_warnings.of_telemetry(Telemetry(at=1.0, pipelines={"hall": lost}, disk_free_bytes=10**10)) == [
        "pipeline hall: source_lost: the password is wrong; correct it"
    ]
    blind = PipelineGauges(state="running", coverage=0.2, frames_total=100)
    sample = Telemetry(
        at=1.0, pipelines={"hall": blind}, disk_free_bytes=10**8, temperature_c=99.0, outbox_lost=4, outbox_damaged_files=1
    )
    assert device_warnings.of_telemetry(sample) == [
        "pipeline hall: processes only 20 % of frames",
        "disk: 100 MB free",
        "temperature: 99 °C",
        "outbox: 4 records lost",
        "outbox: an unknown number of records lost in a damaged file",
    ]
