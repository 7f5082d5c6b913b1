"""Logs and diagnostics on the page of a device: on a real server, with a device whose log is the agent's own."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from edgefleet_agent.supervisor.diagnosis.log_ring import LogQuery, LogRing
from edgefleet_contract.wire.messages import Command, CommandReply
from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice

pytestmark = pytest.mark.system

DISK = {"what": "free space", "ok": False, "needed": True, "detail": "0.01 of 8.00 GB free", "fix": "delete files"}


class Pump:
    """Answers with its log, and to checks with one row."""

    def __init__(self) -> None:
        self.ring = LogRing()

    def write(self, text: str, level: int = logging.INFO) -> None:
        self.ring.handle(logging.LogRecord("link", level, "f.py", 1, text, None, None))

    def answer(self, command: Command) -> CommandReply | None:
        if command.op == "logs":
            return CommandReply(id=command.id, ok=True, result=self.ring.read(LogQuery.of(command)))
        if command.op == "diagnose":
            return CommandReply(id=command.id, ok=True, result={"ok": False, "checks": [DISK]})
        return None


@pytest.fixture
def pump(real_server: ServerProcess) -> Iterator[Pump]:
    made = Pump()
    device = VirtualDevice("pump-1", real_server.mqtt_port)
    device.answer = made.answer
    device.start().wait_online()
    eventually("online", lambda: real_server.http.get("/devices/pump-1").json().get("online"))
    yield made
    device.stop()


def test_logs_are_followed_and_checks_are_run(real_server: ServerProcess, open_page: OpenPage, axe: str, pump: Pump) -> None:
    pump.write("connected")
    page = open_page(real_server.state()["url"], "/devices/pump-1?tab=logs")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if "/logs" in request.url else None)
    expect(page.get_by_text("Lines are sent only when you load or follow them")).to_be_visible()
    page.get_by_role("button", name="Follow").click()
    lines = page.get_by_role("log", name="Log lines")
    expect(lines).to_contain_text("connected")
    pump.write("rtsp://ada:hunter2@cam is lost", logging.ERROR)
    expect(lines).to_contain_text("rtsp://***@cam is lost", timeout=15_000)
    for number in range(1500):
        pump.write(f"flood {number}")
    expect(page.get_by_text(re.compile("lines were dropped"))).to_be_visible(timeout=15_000)
    page.get_by_role("button", name="Stop").click()
    assert violations(page, axe) == []
    page.get_by_role("tab", name="Diagnostics").click()
    count = len(requests)
    page.get_by_role("button", name="Run disk").click()
    result = page.get_by_role("table", name="Result: Disk")
    expect(result).to_contain_text("0.01 of 8.00 GB free")
    expect(result).to_contain_text("Failed")
    page.get_by_role("button", name="Request bundle").click()
    expect(page.get_by_role("table", name="Support bundles")).to_contain_text("On its way")
    assert violations(page, axe) == []
    assert len(requests) == count, "nothing is requested after the log is closed"
    page.get_by_role("tab", name="Configuration").click()
    expect(page.get_by_text(re.compile("No pipelines on this device|Configuration")).first).to_be_visible()
