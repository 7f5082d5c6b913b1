"""Backup and restore: a backup of a running server restores a server that continues."""

from __future__ import annotations

import io
import json
import os
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.wire.messages import Stream
from edgefleet_server.cli.admin.backup import FOLDERS, back_up
from edgefleet_server.cli.admin.restore import restore
from edgefleet_server.core.errors import ConflictError, InputError
from tests.fleet_server.auth.conftest import PASSWORD, setup_code
from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import VirtualDevice, event, sample

pytestmark = pytest.mark.system

EVENTS_MAX = 400
"""Of a device: one page of the API has all of them."""


def edgefleet(*arguments: str) -> subprocess.CompletedProcess[str]:
    return template().run(arguments, os.environ)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """The address of the first server's database."""
    if request.param == "sqlite":
        return tmp_path
    url: str = request.getfixturevalue("postgres").url()
    return url


def serve(folder: Path, where: Path | str) -> ServerProcess:
    return ServerProcess(folder, *(("--database", where) if isinstance(where, str) else ())).start()


@contextmanager
def load(devices: list[VirtualDevice]) -> Iterator[None]:
    """Samples and events of all devices, a thousand a second."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(0.02):
            for one in devices:
                one.record(Stream.TELEMETRY, *[sample(number) for number in range(6)])
                if len(one.sent[Stream.EVENTS]) < EVENTS_MAX:
                    one.record(Stream.EVENTS, event(len(one.sent[Stream.EVENTS])))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def facts(server: ServerProcess) -> dict[str, Any]:
    """The lists that an operator compares after a restore."""
    found = {name: server.get(f"/{name}")["items"] for name in ("users", "models", "groups", "channels", "alert-rules")}
    found["devices"] = sorted(row["id"] for row in server.get("/devices")["items"])
    found["running"] = server.get("/devices/dev-1")["slots"][0]["running"]["digest"]
    found["rollouts"] = [(row["id"], row["state"], row["counts"]) for row in server.get("/rollouts")["items"]]
    found["audit"] = [(row["seq"], row["action"], row["digest"]) for row in server.get("/audit")["items"]]
    found["trust"] = [(row["role"], row["version"], row["key_ids"]) for row in server.get("/trust")["roles"]]
    found["root"] = server.http.get("/trust/root").text
    return found


def test_restore_drill(tmp_path: Path, where: Path | str, request: pytest.FixtureRequest) -> None:
    """A server that is full and at work is backed up, and restored into an empty folder: everything that was acknowledged before
    the backup is there, and its devices go on by themselves, with the old addresses and keys."""
    first = serve(tmp_path / "first", where)
    devices = [VirtualDevice(f"dev-{number}", first.mqtt_port).start() for number in (1, 2, 3)]
    try:
        assert first.http.post("/setup", json={"code": setup_code(first), "name": "ada", "password": PASSWORD}).status_code == 201
        first.post("/users", {"name": "otto", "role": "operator", "password": PASSWORD})
        secret = first.post("/api-tokens", {"name": "drill", "role": "admin"})["secret"]
        first.http.headers["Authorization"] = f"Bearer {secret}"
        eventually("online", lambda: first.get("/overview")["online"] == 3)
        digest = first.push(tar(files())).json()["digest"]
        rollout = first.post("/rollouts", order("spotter", "1.0.0", [{"name": "all"}]))["id"]
        eventually("done", lambda: first.get(f"/rollouts/{rollout}")["state"] == "completed")
        with load(devices):
            eventually("under load", lambda: all(one.acked[Stream.TELEMETRY] > 50 for one in devices))
            before, head = facts(first), first.get("/audit/verification")["head"]
            acked = {one.name: dict(one.acked) for one in devices}
            database = ["--database", where] if isinstance(where, str) else []
            made = edgefleet("backup", str(tmp_path / "kept.tar"), "--data", str(first.data), "--json", *database)
            assert made.returncode == 0, made.stderr
        assert (tmp_path / "kept.tar").stat().st_mode & 0o077 == 0
        first.stop()

        target = request.getfixturevalue("postgres").url() if database else tmp_path
        database = ["--database", target] if database else []
        back = edgefleet("restore", str(tmp_path / "kept.tar"), "--data", str(tmp_path / "second"), "--json", *database)
        assert back.returncode == 0, back.stderr
        second = serve(tmp_path / "second", target)
        try:
            second.http.headers["Authorization"] = f"Bearer {secret}"
            assert facts(second) == before
            assert before["running"] == digest
            assert second.get("/audit/verification", head=head)["valid"]
            for name, streams in acked.items():
                events = second.get("/events", device=name, limit=500)["items"]
                assert {f"e{number}" for number in range(streams[Stream.EVENTS])} <= {one["event"]["id"] for one in events}
            eventually("devices are back", lambda: second.get("/overview")["online"] == 3)
            assert second.push(tar(files(version="1.1.0"))).status_code == 201
            following = second.post("/rollouts", order("spotter", "1.1.0", [{"name": "all"}]))["id"]
            eventually("the next rollout", lambda: second.get(f"/rollouts/{following}")["counts"] == {"committed": 3})
            devices[0].record(Stream.EVENTS, {**event(0), "id": "afterwards"})
            eventually("a new event", lambda: second.get("/events", text="afterwards")["items"])
        finally:
            second.stop()
    finally:
        for one in devices:
            one.stop()
        first.stop()


def test_damaged_and_foreign_files_restore_nothing(tmp_path: Path) -> None:
    """Whatever is in the archive, nothing is there afterwards."""
    data = tmp_path / "data"
    data.mkdir()
    with pytest.raises(InputError, match="is not the data folder of a server"):
        back_up(data, tmp_path / "b.tar", FOLDERS, 1.0)
    (data / "something").write_text("x")
    with pytest.raises(ConflictError, match="is not empty"):
        restore(tmp_path / "b.tar", data)
    for name, content in (("../../escape", b"x"), ("fleet.db", b"nonsense"), ("/etc/passwd", b"x")):
        file = tmp_path / "evil.tar"
        table = json.dumps({"format": 1, "created_at": 1.0, "sha256": {}}).encode()
        with tarfile.open(file, "w") as archive:
            for member, data_bytes in ((name, content), ("backup.json", table)):
                info = tarfile.TarInfo(member)
                info.size = len(data_bytes)
                archive.addfile(info, io.BytesIO(data_bytes))
        with pytest.raises(InputError, match=r"invalid backup entry|is damaged"):
            restore(file, tmp_path / "new")
        assert not (tmp_path / "new").exists()
        assert not (tmp_path.parent / "escape").exists()
    (tmp_path / "text.tar").write_text("no archive")
    with pytest.raises(InputError, match="is not a backup"):
        restore(tmp_path / "text.tar", tmp_path / "new")
