"""Texts of `edgefleet device` and `group`, with the server's responses in place of the server."""

from __future__ import annotations

import argparse
from typing import Any

import httpx
import pytest

from edgefleet_server.__main__ import main
from edgefleet_server.cli.parsers import add_selector_arguments
from edgefleet_server.cli.rollouts.plan_options import selector_of
from edgefleet_server.core.errors import InputError

SERVER = ("--server", "http://127.0.0.1:9")
SLOT = {
    "slot": "pipeline-entrance", "phase": "refused", "running": {"package": "yolox_nano", "version": "1.0.0"},
    "target": {"package": "conveyor_inspector", "version": "1.0.0", "digest": "d" * 64}, "on_target": False,
    "drift_since_at": None, "reason": "incompatible", "detail": "the package has no label 'person'",
}  # fmt: skip
DEVICE: dict[str, Any] = {
    "id": "line-1", "status": "attention", "online_since_at": None, "agent_version": "0.3.0", "profile": "cpu", "runtimes": [],
    "capabilities": [], "labels": {}, "generation_desired": 1, "generation_reported": 1, "pins": [], "excluded_until": None,
    "attention": [], "slots": [SLOT], "pipelines": {}, "last_seen_at": 1.0, "fps": 1.0, "latency_p95_ms": 1.0, "attempts": [],
    "sample": None, "hardware": {},
}  # fmt: skip
LINES = {"name": "lines", "selector": {"all": False, "ids": [], "labels": {"site": "lyon"}}, "note": "of Lyon", "count": 2}


class Fake:
    """The responses; `sent`: bodies of changes, `parameters`: those of the last request."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.parameters: dict[str, Any] = {}
        self.group: dict[str, Any] = LINES

    def respond(self, method: str, path: str, **more: Any) -> httpx.Response:
        self.parameters = more.get("params") or {}
        if method != "GET":
            self.sent.append(more["json"])
            return httpx.Response(200, json={**LINES, **more["json"], "count": 3})
        answers: dict[str, Any] = {
            "/devices": {"items": [DEVICE], "total": 1},
            "/devices/line-1": DEVICE,
            "/devices/line-1/identity": {"blocked": None},
            "/groups": {"items": [self.group]},
        }
        return httpx.Response(200, json=answers[path])


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    made = Fake()
    monkeypatch.setattr(httpx.Client, "request", made.respond)
    return made


@pytest.mark.usefixtures("fake")
def test_refused_package_is_named_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    main(["device", "list", *SERVER])
    assert "yolox_nano@1.0.0 → conveyor_inspector@1.0.0 (refused)" in capsys.readouterr().out
    main(["device", "show", "line-1", *SERVER])
    shown = capsys.readouterr().out
    assert "pipeline-entrance: yolox_nano@1.0.0 → conveyor_inspector@1.0.0 (refused)" in shown
    assert "refused: the package has no label 'person'" in shown


def test_group_keeps_its_note_and_names_what_it_replaces(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["group", "set", "lines", "--label", "site=paris", *SERVER]) == 0
    assert capsys.readouterr().out == "lines: 3 devices; replaced site=lyon\n"
    main(["group", "set", "lines", "--label", "site=lyon", "--note", "", *SERVER])
    assert capsys.readouterr().out == "lines: 3 devices\n"
    main(["group", "set", "new", "--label", "site=lyon", *SERVER])
    assert [body["note"] for body in fake.sent] == ["of Lyon", "", ""]


def test_a_query_is_sent_and_shown(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["group", "set", "lines", "--query", "not site = lyon", "--device", "line-1", *SERVER]) == 0
    assert fake.sent[0]["selector"] == {"all": False, "ids": ["line-1"], "labels": {}, "query": "not site = lyon"}
    assert main(["device", "list", "--query", "state = online", *SERVER]) == 0
    assert fake.parameters["query"] == "state = online"
    fake.group = {**LINES, "selector": fake.sent[0]["selector"]}
    capsys.readouterr()
    main(["group", "list", *SERVER])
    assert "not site = lyon 1 IDs" in capsys.readouterr().out


def test_a_query_selects_the_devices_of_a_rollout() -> None:
    parser = argparse.ArgumentParser()
    add_selector_arguments(parser)
    chosen = selector_of(parser.parse_args(["--query", "agent < 0.3", "--label", "site=lyon"]))
    assert chosen == {"all": False, "ids": [], "labels": {"site": "lyon"}, "query": "agent < 0.3"}
    assert selector_of(parser.parse_args([])) == {"all": True, "ids": [], "labels": {}}
    with pytest.raises(InputError, match="--group and --query exclude each other"):
        selector_of(parser.parse_args(["--query", "agent < 0.3", "--group", "lines"]))
