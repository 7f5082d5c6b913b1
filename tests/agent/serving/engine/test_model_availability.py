"""A model that fails again and again is taken out of service, tried with growing pauses, and comes back."""

from __future__ import annotations

import pytest

from edgefleet_agent.serving.engine import model_availability
from edgefleet_agent.serving.engine.dynamic_batcher import Answer
from edgefleet_agent.serving.engine.model_availability import ModelAvailability
from edgefleet_agent.serving.protocol.errors import CallError, Code, FaultError
from edgefleet_agent.serving.protocol.inference_request import TensorSignature

SIGNATURE = TensorSignature("m", "1", "test", (), ())
FAULT = FaultError("model 'm': it broke")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now_s = [1000.0]
    monkeypatch.setattr(model_availability.time, "monotonic", lambda: now_s[0])
    return now_s


def record(availability: ModelAvailability, *answers: Answer) -> None:
    for answer in answers:
        availability.record(answer, SIGNATURE)


def refused_s(availability: ModelAvailability, now_s: float) -> int:
    """The hint of a refusal; 0 if the request is admitted."""
    try:
        availability.admit("m", now_s)
    except CallError as error:
        return error.retry_s
    return 0


def test_only_failures_in_a_row_count(clock: list[float]) -> None:
    availability = ModelAvailability(3)
    record(
        availability,
        FAULT,
        FAULT,
        {},
        FAULT,
        FAULT,
        CallError(Code.INVALID, "your fault"),
        CallError(Code.INTERNAL, "a value that the runtime refuses"),
    )
    assert not availability.reason
    record(availability, FAULT)
    assert availability.reason == "out of service after 3 failures in a row: model 'm': it broke"
    assert availability.outages == 1
    with pytest.raises(CallError, match="model 'm' is out of service after 3 failures in a row") as refused:
        availability.admit("m", clock[0])
    assert refused.value.code is Code.UNAVAILABLE


def test_pauses_double_until_a_trial_succeeds(clock: list[float]) -> None:
    availability = ModelAvailability(2)
    record(availability, FAULT, FAULT)
    for pause_s in (1, 2, 4, 8):
        assert refused_s(availability, clock[0]) == pause_s
        clock[0] += pause_s
        assert refused_s(availability, clock[0]) == 0  # one trial ...
        assert refused_s(availability, clock[0]) > 0  # ... and no second one
        record(availability, FAULT)
    record(availability, {})
    assert (availability.reason, availability.outages) == ("", 1)
    assert refused_s(availability, clock[0]) == 0
    record(availability, FAULT, FAULT)
    assert refused_s(availability, clock[0]) == 1


def test_failures_of_requests_admitted_before_are_no_trials(clock: list[float]) -> None:
    availability = ModelAvailability(2)
    record(availability, *[FAULT] * 20)
    assert refused_s(availability, clock[0]) == 1


def test_a_trial_without_an_answer_is_followed_by_another(clock: list[float]) -> None:
    availability = ModelAvailability(1)
    record(availability, FAULT)
    clock[0] += 1
    assert refused_s(availability, clock[0]) == 0
    clock[0] += 1
    assert refused_s(availability, clock[0]) == 0


def test_the_longest_pause_and_never(clock: list[float]) -> None:
    availability = ModelAvailability(1)
    for _ in range(20):
        record(availability, FAULT)
        refused_s(availability, clock[0] + 1000)
    assert refused_s(availability, clock[0]) > model_availability.PAUSE_S_MAX - 1
    never = ModelAvailability(0)
    record(never, *[FAULT] * 1000)
    assert not never.reason
