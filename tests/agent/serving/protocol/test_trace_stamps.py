"""The stamps of a trace: their order is that of the monotonic clock, whatever the wall clock does."""

import time

import pytest

from edgefleet_agent.serving.protocol.tracing import Trace


def test_stamps_keep_their_order_when_the_wall_clock_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = Trace(1, "m", "1", "r", ("TIMESTAMPS",))
    began_ns = time.monotonic_ns()
    wall_ns = time.time_ns()
    steps = iter(range(100))
    monkeypatch.setattr("time.time_ns", lambda: wall_ns - next(steps) * 3_600_000_000_000)  # an hour back at each reading
    trace.stamp("REQUEST_START")
    trace.computed(began_ns, began_ns + 10, began_ns + 10, began_ns + 25)
    stamps = dict(trace.stamps)
    assert stamps["COMPUTE_START"] == stamps["COMPUTE_INPUT_END"] == stamps["QUEUE_START"] + 10
    assert stamps["COMPUTE_OUTPUT_START"] == stamps["QUEUE_START"] + 25
    assert abs(stamps["REQUEST_START"] - wall_ns) < 60_000_000_000
