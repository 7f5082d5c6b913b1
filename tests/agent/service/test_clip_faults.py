"""Evidence on disks that refuse writes, and a worker that dies by a fault: frames continue, and the fault is reported."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from edgefleet_agent.cli import status
from tests.agent.fakes.bench import ROOT
from tests.agent.fakes.cameras import free_port
from tests.agent.fakes.moving_boxes import PIPELINE
from tests.agent.service.test_full_disk import fill
from tests.agent.service.test_update import wait_for
from tests.import_path import import_path
from tests.small_disk import SmallDisk, mounted

pytestmark = pytest.mark.system


class Device:
    """A real agent whose evidence is on a disk of 8 MB."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.evidence = folder / "state/evidence"
        self.log = folder / "agent.log"
        (folder / "pipelines").mkdir()
        (folder / "pipelines/boxes.toml").write_text(PIPELINE)
        (folder / "agent.toml").write_text(
            f'device = "cam-1"\nstate = "state"\npipelines = "pipelines"\nevents_jsonl = "events.jsonl"\n'
            f'[local_api]\nhttp = "127.0.0.1:{self.port}"\n[evidence]\nkeep_bytes = 1_000_000\n'
        )
        self.journal = folder / "events.jsonl"
        self.config = folder / "agent.toml"
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            command = [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(self.config)]
            env = {**os.environ, "PYTHONPATH": import_path()}
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=env)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(120)

    def faults(self) -> set[str]:
        """Stores whose faults the local API shows."""
        return {fault.get("store", "") for fault in self.ask("/api/status").get("faults", [])}

    def ask(self, path: str) -> Any:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
                return json.loads(answer.read())
        except OSError:
            return {}

    def stored(self) -> int:
        """Events that a search finds with their snapshot."""
        return sum(event["has_snapshot"] for event in self.ask("/api/events?limit=1000").get("events", []))

    def reported(self) -> int:
        return len(self.journal.read_text().splitlines()) if self.journal.exists() else 0

    def more(self, count: Callable[[], int]) -> None:
        before = count()
        wait_for(lambda: count() > before, 60.0)

    def worker(self) -> psutil.Process | None:
        for child in psutil.Process(self.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):  # it may end meanwhile
                if "worker" in child.cmdline():
                    return child
        return None


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    with mounted(tmp_path / "state/evidence", "8m"):
        device = Device(tmp_path)
        try:
            wait_for(lambda: device.stored() > 0, 60.0)
            yield device
        finally:
            device.stop()


def test_a_full_disk_costs_evidence_and_nothing_else(device: Device) -> None:
    filler = fill(device.evidence)
    wait_for(lambda: "evidence cannot be stored" in device.log.read_text(), 60.0)
    device.more(device.reported)  # events continue
    filler.unlink()
    wait_for(lambda: "evidence is stored again" in device.log.read_text(), 60.0)
    device.more(device.stored)
    assert device.log.read_text().count("evidence cannot be stored") == 1


def test_a_disk_that_became_read_only(device: Device) -> None:
    disk = SmallDisk(device.evidence)
    device.stop()  # the kernel refuses it while a file is open for writing
    disk.remount("ro")
    device.start()
    wait_for(lambda: {"evidence", "events"} <= device.faults(), 60.0)
    device.more(device.reported)
    found = status.ask(device.evidence.parent)
    assert {"evidence", "events"} <= set(found["stores"])
    assert "disk read-only" in found["fault"]
    assert device.ask("/api/status")["pipelines"][0]["gauges"]["state"] == "running"
    assert device.ask("/api/events")["events"], "in memory"
    disk.remount("rw")
    wait_for(lambda: not device.faults() & {"evidence", "events"}, 60.0)
    device.more(device.stored)


def test_a_worker_that_segfaults_loses_no_event_that_was_reported(device: Device) -> None:
    device.more(device.reported)
    first = device.worker()
    assert first is not None
    first.send_signal(signal.SIGSEGV)
    wait_for(lambda: (worker := device.worker()) is not None and worker.pid != first.pid, 30.0)
    device.more(device.reported)
    wait_for(lambda: not {json.loads(line)["id"] for line in device.journal.read_text().splitlines()} - known(device), 30.0)
    assert "SIGSEGV" in device.log.read_text()


def known(device: Device) -> set[str]:
    """IDs of the stored events; the events of the last second or so may be missing."""
    return {event["id"] for event in device.ask("/api/events?limit=1000").get("events", [])} | last(device)


def last(device: Device) -> set[str]:
    """Events reported at the time of the crash: they are in the outbox, and may be missing in the device's own store."""
    lines = [json.loads(line) for line in device.journal.read_text().splitlines()]
    prefixes = [line["id"].split("-")[0] for line in lines]
    change = next((place for place in range(1, len(lines)) if prefixes[place] != prefixes[place - 1]), len(lines))
    return {line["id"] for line in lines[max(0, change - 2) : change]}
