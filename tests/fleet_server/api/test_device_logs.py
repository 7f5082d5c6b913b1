"""Logs that a hostile device sends in answer to a request: whatever it is, there is a log to show."""

from __future__ import annotations

from typing import Any

import pytest

from edgefleet_server.api.presenters.device_logs import device_log


@pytest.mark.parametrize(
    "result",
    [
        {"lines": 200},
        {"lines": {"a": 1}},
        {"lines": [None, 7, ["x"]]},
        {"lines": ["2026-13-45 29:61:61,123 INFO edgefleet: no such time"]},
        {"records": 5},
        {"records": [1, "x", None, {"at": True}, {"at": 1e308}, {"at": float("nan")}, {"at": -1.0, "level": [], "text": {}}]},
        {"records": [], "cursor": {}, "lost": -3},
    ],
)
def test_any_answer_is_shown(result: dict[str, Any]) -> None:
    row = {"device": "dev-0", "result": result, "finished_at": 1.0, "created_at": 0.0}
    shown = device_log(row, {})
    assert shown.lost == 0
    assert all(0.0 <= each.at < 1e12 for each in shown.records)
    assert shown.model_dump_json()
