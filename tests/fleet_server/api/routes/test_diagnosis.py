"""Logs and support bundles over the REST API, of a device whose log is the agent's own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from edgefleet_agent.supervisor.diagnosis.log_ring import LogQuery, LogRing
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.wire.messages import Command, CommandReply
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice

pytestmark = pytest.mark.system

LOGS = "/devices/dev-0/logs"


@dataclass
class LoggingDevice:
    """A device that answers `logs` from a ring, and nothing else."""

    server: ServerProcess
    device: VirtualDevice
    ring: LogRing

    def come_online(self) -> None:
        self.ring = LogRing()
        self.device = VirtualDevice("dev-0", self.server.mqtt_port)
        self.device.answer = self.answer
        self.device.start().wait_online()
        eventually("online", lambda: self.server.get("/overview")["online"] == 1)

    def answer(self, command: Command) -> CommandReply | None:
        if command.op != "logs":
            return None
        try:
            return CommandReply(id=command.id, ok=True, result=self.ring.read(LogQuery.of(command)))
        except EdgefleetError as error:
            return CommandReply(id=command.id, ok=False, detail=str(error))

    def write(self, text: str, level: int = logging.INFO) -> None:
        self.ring.handle(logging.LogRecord("link", level, "f.py", 1, text, None, None))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoggingDevice]:
    server = ServerProcess(tmp_path_factory.mktemp("logs") / "fleet").start()
    made = LoggingDevice(server, VirtualDevice("dev-0", server.mqtt_port), LogRing())
    made.come_online()
    try:
        yield made
    finally:
        made.device.stop()
        server.stop()


def texts(answer: dict[str, Any]) -> list[str]:
    return [line["text"] for line in answer["records"]]


def test_lines_are_selected_and_followed(site: LoggingDevice) -> None:
    site.write("connected")
    site.write("cannot open rtsp://ada:hunter2@10.0.0.1/live", logging.ERROR)
    first = site.server.get(LOGS)
    assert texts(first) == ["connected", "cannot open rtsp://***@10.0.0.1/live"]
    assert (first["records"][1]["level"], first["limited"], first["lost"]) == ("error", False, 0)
    assert texts(site.server.get(LOGS, level="error")) == ["cannot open rtsp://***@10.0.0.1/live"]
    for number in range(1100):
        site.write(f"line {number}")
    more = site.server.get(LOGS, since=first["cursor"], lines=50)
    assert texts(more) == [f"line {number}" for number in range(1050, 1100)]
    assert more["lost"] == 1050
    last = site.server.get(f"{LOGS}/last")
    assert (last["level"], texts(last)) == ("error", ["cannot open rtsp://***@10.0.0.1/live"]), "what follows is not kept"
    entries = [entry["action"] for entry in site.server.get("/audit")["items"]]
    assert entries.count("view_logs") == 1, "one entry for a viewer who goes on, not one for each request"


def test_what_cannot_be_read_has_a_reason(site: LoggingDevice) -> None:
    refused = site.server.http.get(LOGS, params={"since": "not a cursor"})
    assert (refused.status_code, "cursor" in refused.json()["detail"]) == (409, True)
    assert site.server.http.get(LOGS, params={"source": "pipeline"}).status_code == 422
    assert site.server.http.get("/devices/nobody/logs").status_code == 404
    site.device.answer = lambda command: CommandReply(
        id=command.id, ok=True, result={"lines": ["2026-11-27 20:00:00,120 WARNING link: lost: the broker", "plain"]}
    )
    old = site.server.get(LOGS, source="worker")
    site.device.answer = site.answer
    assert (old["limited"], old["source"], old["cursor"]) == (True, "service", "")
    assert [(line["level"], line["logger"], line["text"]) for line in old["records"]] == [
        ("warning", "link", "lost: the broker"),
        ("info", "", "plain"),
    ]


def test_a_support_bundle_is_listed_downloaded_and_deleted(site: LoggingDevice) -> None:
    path = "/devices/dev-0/support-bundles"
    http = site.server.http
    assert http.post("/devices/dev-0/commands", json={"op": "support_bundle"}).status_code == 422
    row = site.server.post(path, {})
    assert http.post(path, json={}).status_code == 409, "one at a time"
    command = eventually("the command", lambda: [each for each in site.device.commands if each.op == "support_bundle"])[0]
    assert command.id == row["id"]
    assert command.args["requested_by"] == row["requested_by"] != ""
    file = site.server.data / "evidence/dev-0" / f"{row['id']}.support.zip"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"PK archive")
    (listed,) = site.server.get(path)["items"]
    assert listed["length_bytes"] == 10
    assert abs(listed["delete_at"] - listed["received_at"] - 7 * 86_400) < 1
    got = http.get(f"{path}/{row['id']}", headers={"Range": "bytes=3-"})
    assert (got.status_code, got.content) == (206, b"archive"), "a download continues where it stopped"
    assert http.delete(f"{path}/{row['id']}").status_code == 204
    assert not file.exists()
    assert site.server.get(path)["items"] == []
    actions = {entry["action"] for entry in site.server.get("/audit")["items"]}
    assert {"request_support_bundle", "get_support_bundle", "delete_support_bundle"} <= actions


def test_an_offline_device_leaves_its_last_log(site: LoggingDevice) -> None:
    site.write("the last words")
    assert site.server.get(LOGS)["records"]
    site.device.stop()
    eventually("offline", lambda: site.server.get("/overview")["offline"] == 1)
    refused = site.server.http.get(LOGS)
    assert (refused.status_code, "is offline" in refused.json()["detail"]) == (409, True)
    assert site.server.get(f"{LOGS}/last")["records"]
    site.come_online()
