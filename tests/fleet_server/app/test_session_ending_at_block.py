"""The block of a device at the broker: the session ends when the broker answers, however late, and the command says no more."""

from __future__ import annotations

import argparse
from types import SimpleNamespace
from typing import Any

import pytest

from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_server.app import server_builder
from edgefleet_server.cli.fleet import device
from edgefleet_server.link.broker_access import BrokerAccess


@pytest.mark.parametrize(("answers", "calls"), [([True, True], 2), ([False, False, False, True], 4), ([True, False, True], 3)])
def test_the_session_is_ended_again_until_the_broker_has_answered(
    monkeypatch: pytest.MonkeyPatch, answers: list[bool], calls: int
) -> None:
    calls_made: list[Any] = []
    monkeypatch.setattr(server_builder.time, "sleep", lambda _: None)
    monkeypatch.setattr(server_builder, "take_over", lambda *given: calls_made.append(given) or answers[len(calls_made) - 1])
    server_builder._send_away(BrokerAccess(BrokerAddress("127.0.0.1", 1)), ["press-1"])
    assert len(calls_made) == calls


@pytest.mark.parametrize(
    ("state", "text"),
    [("up", "the broker is ending its connection"), ("down", "its connection is ended as soon as the broker answers")],
)
def test_the_command_claims_no_effect_that_the_broker_cannot_have_had(
    capsys: pytest.CaptureFixture[str], state: str, text: str
) -> None:
    client: Any = SimpleNamespace(
        identity=SimpleNamespace(block_device=lambda *_: {}),
        fleet=SimpleNamespace(get_health=lambda: {"broker": {"state": state}}),
    )
    assert device._block(client, argparse.Namespace(device="press-1", reason="", json=False)) == 0
    assert capsys.readouterr().out == f"press-1 is blocked now: certificate revoked, enrollment refused; {text}\n"
