"""Checks of network and disk, on this machine."""

from __future__ import annotations

import socket
import zipfile
from pathlib import Path

import pytest

from edgefleet_agent.cli.measure import support_bundle
from edgefleet_agent.machine.accelerator_check import Check
from edgefleet_agent.machine.host_checks import disk_checks, network_checks
from edgefleet_agent.machine.support_files import write_support_bundle
from edgefleet_contract.core.errors import UnavailableError


def named(checks: list[Check], beginning: str) -> Check:
    return next(check for check in checks if check.what.startswith(beginning))


def test_a_broker_that_listens_and_one_that_does_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert named(network_checks(f"mqtt://127.0.0.1:{port}"), "connection").ok
    refused = named(network_checks(f"mqtt://127.0.0.1:{port}"), "connection")
    assert not refused.ok
    assert refused.fix
    assert not named(network_checks(""), "fleet server").ok


def test_route_and_name_servers_are_read(tmp_path: Path) -> None:
    routes, resolver = tmp_path / "route", tmp_path / "resolv.conf"
    routes.write_text("Iface Destination Gateway Flags RefCnt Use Metric Mask\nwlan0 00000000 0100A8C0 3 0 0 0 00000000\n")
    resolver.write_text("nameserver 192.168.0.1\n")
    checks = network_checks("", routes, resolver)
    assert named(checks, "default route").detail == "by wlan0"
    assert named(checks, "name servers").detail == "192.168.0.1"
    assert not named(network_checks("", tmp_path / "none", tmp_path / "none"), "default route").ok


def test_the_disk_is_measured(tmp_path: Path) -> None:
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs/one").write_bytes(b"x" * 3_000_000)
    checks = disk_checks(tmp_path)
    assert named(checks, "writing").ok
    assert named(checks, "folder blobs").detail == "3.0 MB"
    assert not disk_checks(tmp_path / "missing")[0].ok


def test_a_bundle_has_no_secrets_and_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "s.zip"
    length = write_support_bundle(file, {"a.toml": 'password = "hunter2"\nuri = "rtsp://ada:hunter2@cam/1"\n'})
    assert length == file.stat().st_size
    with zipfile.ZipFile(file) as archive:
        assert archive.read("a.toml").decode() == 'password = ***\nuri = "rtsp://***@cam/1"\n'
    file.unlink()
    with pytest.raises(UnavailableError, match="the limit is 10"):
        write_support_bundle(file, {"a": "text"}, limit=10)
    assert list(tmp_path.iterdir()) == []


def test_the_program_collects_settings_logs_and_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support_bundle, "JOURNAL", ["/bin/echo", "a line of Authorization: Bearer abcdefgh123"])
    monkeypatch.setattr(support_bundle, "DOCTOR", ["/bin/echo", "checked"])
    (tmp_path / "pipelines").mkdir()
    (tmp_path / "pipelines/gate.toml").write_text('uri = "rtsp://ada:hunter2@cam/1"\n')
    (tmp_path / "agent.toml").write_text(f'device = "d"\nstate = "{tmp_path}/state"\n')
    (tmp_path / "state/identity").mkdir(parents=True)
    (tmp_path / "state/identity/device.pem").write_text("-----BEGIN PRIVATE KEY-----\nMHcCAQ\n")
    (tmp_path / "ring.log").write_text("worker: token=tok123\n")
    out = tmp_path / "s.zip"
    parser = support_bundle.argparse.ArgumentParser()
    support_bundle.add_arguments(parser)
    options = ["--config", str(tmp_path / "agent.toml"), "--log", str(tmp_path / "ring.log"), "--output", str(out)]
    assert support_bundle.run(parser.parse_args(options)) == 0
    with zipfile.ZipFile(out) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    names = {"README.txt", "about.json", "status.json", "settings.toml", "pipelines/gate.toml", "log.txt", "journal.txt"}
    assert names | {"doctor.txt", "checks.json", "files.txt"} == set(texts)
    assert "identity/device.pem" in texts["files.txt"]
    for secret in ("hunter2", "MHcCAQ", "tok123", "abcdefgh123"):
        assert secret not in str(texts)
