"""A device whose identity is damaged on the disk."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials
from edgefleet_agent.model_store.tuf_client import install_root
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from tests.agent.fakes.bench import Agent, Broker, MakeAgent
from tests.agent.fakes.repository import Repository
from tests.agent.service.test_service import show_status
from tests.agent.service.test_update import FIRST

pytestmark = pytest.mark.system


def test_it_costs_the_line_and_nothing_else(broker: Broker, make_agent: MakeAgent, tmp_path: Path) -> None:
    """The device runs its last good model, reports the remedy and keeps its events; after a new enrolment it connects without a
    restart."""
    agent = make_agent(FIRST)
    authority = CertificateAuthority(tmp_path / "authority")
    authority.open(time.time())
    _enrol(agent.state, authority, broker.port)
    credentials = agent.state / "identity" / "device.pem"
    credentials.write_bytes(bytes(credentials.stat().st_size))
    agent.config.write_text(
        "\n".join(line for line in agent.config.read_text().splitlines() if not line.startswith("broker")), encoding="utf-8"
    )
    agent.start()
    status = _status_when(agent, lambda shown: shown["slots"]["detector"].get("running") and shown["outbox"]["records"] > 3)
    assert status["slots"]["detector"]["running"]["digest"] == FIRST.digest
    assert status["connected"] is False
    do = "on the server `edgefleet token create --device bench-1`, here `edgefleet-agent enroll URL --token-file FILE --again`"
    assert status["fault"].endswith(f"enroll this device again: {do}")
    _enrol(agent.state, authority, broker.port)
    healed = _status_when(agent, lambda shown: shown["connected"])
    assert healed["fault"] == ""
    assert healed["outbox"]["lost"] == 0
    assert agent.stop() == 0


def _enrol(state: Path, authority: CertificateAuthority, port: int) -> None:
    key, request = new_request("bench-1")
    now = time.time()
    install_root(state, Repository().roots[1])
    issued = authority.issue(request, "bench-1", 86400.0, now)
    named = Named(device="bench-1", broker_url=f"mqtt://127.0.0.1:{port}")
    install_identity(state, named, authority.certificate, pack_credentials(key, issued.certificate, now, now + 86400.0))


def _status_when(agent: Agent, what: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    deadline = time.monotonic() + 120
    while True:
        shown = show_status(agent.config, "--json")
        if shown.returncode == 0 and what(status_report := json.loads(shown.stdout)):
            return dict(status_report)
        assert time.monotonic() < deadline, f"never so: {shown}"
        time.sleep(0.1)
