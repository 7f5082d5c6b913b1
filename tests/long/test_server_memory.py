"""Memory of the server: flat during the largest upload, and back after a flood of API calls and a large rollout."""

from __future__ import annotations

import hashlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.system.test_upload_memory import memory
from tests.import_path import import_path

pytestmark = [pytest.mark.long(minutes=10), pytest.mark.system, pytest.mark.timeout(3600)]

MIB = 1024 * 1024
UPLOAD_BYTES = 1024 * MIB
"""The limit of an upload."""
UPLOAD_GROWTH_MAX = 64 * MIB
CALLS = 20_000
CALLERS = 8
DEVICES = 500
GROWTH_MAX = 96 * MIB
"""Growth that may stay after the flood: the memory of threads and of caches that are full now."""
PATHS = ("/devices?size=100", "/overview", "/events?text=nothing", "/rollouts", "/models", "/sites", "/version-shares")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path / "fleet").start()
    yield process
    process.stop(60.0)


def test_the_largest_upload_is_never_in_memory(server: ServerProcess) -> None:
    """It arrives in pieces, is hashed and refused as no package. One of 2 GiB is refused before its first byte."""
    refused = server.http.post("/uploads", json={"length_bytes": 2 * UPLOAD_BYTES, "sha256": "0" * 64})
    assert (refused.status_code, "the maximum is" in refused.text) == (422, True)
    piece = bytes(8 * MIB)
    whole = hashlib.sha256()
    for _ in range(UPLOAD_BYTES // len(piece)):
        whole.update(piece)
    before = memory(server)
    Path(f"/proc/{server.state()['pid']}/clear_refs").write_text("5")  # the greatest memory begins anew
    upload = server.post("/uploads", {"length_bytes": UPLOAD_BYTES, "sha256": whole.hexdigest()})["id"]
    for offset in range(0, UPLOAD_BYTES, len(piece)):
        answer = server.http.patch(f"/uploads/{upload}", params={"offset_bytes": offset}, content=piece, timeout=120.0)
        assert answer.status_code == 200, answer.text
    assert server.http.post(f"/uploads/{upload}/finish", timeout=600.0).status_code == 422
    grown = memory(server, "VmHWM") - before
    print(f"upload of {UPLOAD_BYTES / MIB:.0f} MiB: the server grew by {grown / MIB:.0f} MiB at most")
    assert grown < UPLOAD_GROWTH_MAX


def test_memory_returns_after_a_flood_and_a_rollout(server: ServerProcess, tmp_path: Path) -> None:
    """20,000 calls of several callers while 500 devices are updated. A second flood adds nothing: it is no leak."""
    url = server.state()["url"]
    command = ["simulate", "--devices", str(DEVICES), "--telemetry-s", "2", "--server", url]
    with (tmp_path / "swarm.log").open("wb") as log:
        swarm = template().start(command, log, {**os.environ, "PYTHONPATH": import_path()})
    eventually("all online", lambda: server.get("/overview")["online"] == DEVICES, 180.0)
    assert server.push(tar(files(size=300_000))).status_code == 201
    before = memory(server)
    rollout = server.post("/rollouts", order("spotter", "1.0.0", [{"name": "all", "percent": 100}]))["id"]
    during = _flood(url, server)
    eventually("completed", lambda: server.get(f"/rollouts/{rollout}")["state"] == "completed", 300.0)
    first = memory(server)
    _flood(url, server)
    second = memory(server)
    swarm.send_signal(signal.SIGINT)
    swarm.wait(60.0)
    shown = [f"{value / MIB:.0f}" for value in (before, during, first, second)]
    print(f"MiB before {shown[0]}, during {shown[1]}, after {shown[2]}, after a second flood {shown[3]}")
    assert first - before < GROWTH_MAX
    assert second - first < GROWTH_MAX / 4


def _flood(url: str, server: ServerProcess) -> int:
    """The greatest memory of the server during the calls."""
    wrong: list[int] = []

    def call() -> None:
        with httpx.Client(base_url=f"{url}/api/v1", timeout=60.0) as client:
            for number in range(CALLS // CALLERS):
                status = client.get(PATHS[number % len(PATHS)]).status_code
                if status != 200:
                    wrong.append(status)

    threads = [threading.Thread(target=call) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    greatest = 0
    while any(thread.is_alive() for thread in threads):
        greatest = max(greatest, memory(server))
        threads[0].join(0.2)
    assert not wrong, wrong[:5]
    return greatest
