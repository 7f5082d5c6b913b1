"""Event sinks of the running service: they get its events, and their faults are in the status and in the report to the server."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.agent.fakes.bench import MakeAgent
from tests.agent.fakes.plug_in import install_plug_in
from tests.agent.fakes.server import FakeServer
from tests.agent.service.test_service import show_status
from tests.agent.service.test_update import FIRST, running, wait_for

pytestmark = pytest.mark.system

SINKS = """
[sinks.archive]
kind = "jsonl"
options = { path = "archive.jsonl" }

[sinks.mail]
kind = "mail"
options = { to = "someone" }
"""
MAIL = """
    from edgefleet_agent.sinks.base import Sink
    from edgefleet_contract.core.errors import UnavailableError

    class MailSink(Sink):
        def put(self, event):
            raise UnavailableError("no answer of the mail server; check its address")
"""


def test_sinks_get_the_events_and_their_faults_are_shown(
    server: FakeServer, make_agent: MakeAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "installed"
    folder.mkdir()
    install_plug_in(folder, monkeypatch, "mail_sink", MAIL, {"sinks": {"mail": "MailSink"}})
    agent = make_agent(FIRST)
    with agent.config.open("a") as file:
        file.write(SINKS.replace('"archive.jsonl"', json.dumps(str(tmp_path / "archive.jsonl"))))
    agent.start(PYTHONPATH=os.environ["PYTHONPATH"])
    server.wait(running(server, FIRST))
    server.wait(lambda: "sink mail (mail): no answer of the mail server; check its address" in server.reports[-1].fault)
    wait_for(lambda: json.loads(show_status(agent.config, "--json").stdout)["sinks"]["archive"]["written"] > 0)
    sinks = json.loads(show_status(agent.config, "--json").stdout)["sinks"]
    assert (sinks["archive"]["state"], sinks["archive"]["fault"]) == ("running", "")
    assert sinks["mail"]["waiting"] > 0
    text = show_status(agent.config).stdout
    assert "sink       mail (mail): waiting, 0 written, " in text
    assert agent.stop() == 0
    stored = [json.loads(line)["id"] for line in (agent.config.parent / "events.jsonl").read_text().splitlines()]
    assert [json.loads(line)["id"] for line in (tmp_path / "archive.jsonl").read_text().splitlines()] == stored
