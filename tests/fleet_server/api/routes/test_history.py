"""The history of devices over HTTP, from a real server with weeks of figures."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fleet_server.fakes.server_process import ServerProcess
from tests.fleet_server.fakes.stored_history import fill

pytestmark = pytest.mark.system

DAY_S = 86_400.0
DEVICES = tuple(f"dev-{number}" for number in range(11))
NOW = time.time()


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    data = tmp_path_factory.mktemp("history") / "fleet"
    data.mkdir()
    fill(data / "fleet.db", DEVICES, NOW)
    server = ServerProcess(data).start()
    yield server
    server.stop()


def curves(answer: dict[str, Any], device: int = 0) -> dict[str, dict[str, Any]]:
    return {curve["name"]: curve for curve in answer["devices"][device]["figures"]}


def test_resolution_follows_the_period(fleet: ServerProcess) -> None:
    """Minutes of hours, hours of weeks, days of months; the span of now is there, although it goes on."""
    found = {days: fleet.get("/figures", device="dev-0", since_at=NOW - days * DAY_S, until_at=NOW) for days in (0.04, 30, 180)}
    assert {days: answer["span_s"] for days, answer in found.items()} == {0.04: 60, 30: 3600, 180: 86_400}
    for answer in found.values():
        fps = curves(answer)["fps"]
        assert len(answer["at"]) == len(fps["mean"]) == len(fps["low"]) == len(fps["p95"]) <= 1500
        assert fps["high"][-1] == 21.0
    assert curves(found[0.04])["fps"]["mean"][-2] is None
    assert found[180]["stored_since_at"] == pytest.approx(NOW - 1826 * DAY_S, abs=DAY_S / 4)


def test_gaps_are_null_and_the_summary_has_the_whole_period(fleet: ServerProcess) -> None:
    answer = fleet.get("/figures", device="dev-0", figure="fps", since_at=NOW - 20 * DAY_S, until_at=NOW - DAY_S)
    fps = curves(answer)["fps"]
    gaps = [
        start for start, mean, count in zip(answer["at"], fps["mean"], fps["count"], strict=True) if mean is None and not count
    ]
    assert len(gaps) == 48
    assert (fps["summary"]["mean"], fps["summary"]["low"], fps["summary"]["high"]) == (10.0, 9.0, 11.0)
    assert list(curves(answer)) == ["fps"]


def test_updates_are_marked(fleet: ServerProcess) -> None:
    """With the version, the state and the rollout to open."""
    (device,) = fleet.get("/figures", device="dev-0", since_at=NOW - 30 * DAY_S, until_at=NOW)["devices"]
    assert [(mark["state"], mark["version"], mark["rollout"]) for mark in device["updates"]] == [
        ("offered", "1.1.0", 1),
        ("committed", "1.1.0", 1),
    ]
    assert fleet.get("/figures", device="dev-0")["devices"][0]["updates"] == []


def test_devices_are_compared(fleet: ServerProcess) -> None:
    """On one time axis, in the order of the request, each once."""
    chosen = ["dev-3", "dev-1", "dev-3"]
    answer = fleet.get("/figures", device=chosen, figure=["latency_p95_ms"], since_at=NOW - 7 * DAY_S, until_at=NOW)
    assert [each["device"] for each in answer["devices"]] == ["dev-3", "dev-1"]
    means = [curves(answer, number)["latency_p95_ms"]["summary"]["mean"] for number in (0, 1)]
    assert means == [21.0, 11.0]


@pytest.mark.parametrize(
    ("params", "status", "text"),
    [
        ({"device": "unknown"}, 404, "unknown"),
        ({}, 422, "device"),
        ({"device": list(DEVICES)}, 422, "10"),
        ({"device": "dev-0", "figure": "class:person"}, 422, "figure"),
        ({"device": "dev-0", "span_s": 300}, 422, "span_s"),
        ({"device": "dev-0", "since_at": 5.0, "until_at": 5.0}, 422, "since_at must be before until_at"),
        ({"device": "dev-0", "since_at": "nan"}, 422, "since_at"),
        ({"device": "dev-0", "since_at": 1e300, "until_at": 2e300}, 422, "until_at at most a day ahead"),
        ({"device": "dev-0", "since_at": 0.0}, 422, "longer than 3650 days"),
        ({"device": "dev-0", "since_at": NOW - 30 * DAY_S, "span_s": 60}, 422, "choose a longer span_s or a shorter period"),
    ],
)
def test_what_has_no_answer_is_refused(fleet: ServerProcess, params: dict[str, Any], status: int, text: str) -> None:
    answer = fleet.http.get("/figures", params=params)
    assert (answer.status_code, text in answer.text) == (status, True), answer.text
