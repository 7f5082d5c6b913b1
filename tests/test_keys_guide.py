"""The commands of docs/keys.md, typed in their order at a server without devices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet_server.fakes.server_process import ServerProcess
from tests.fleet_server.registry.identity.test_authorities import signed_below
from tests.fleet_server.registry.identity.test_certificate_authority import EC, make
from tests.test_guides import ROOT, Reader

pytestmark = pytest.mark.system

GUIDE = (ROOT / "docs/keys.md").read_text(encoding="utf-8")


def commands(section: str) -> list[str]:
    """The blocks of commands below this heading, up to the next one."""
    text = re.split(r"^#+ ", GUIDE.partition(f"# {section}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    found = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert found, section
    return found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path / "fleet").start()
    yield process
    process.stop()


def test_the_commands_about_keys(server: ServerProcess, tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.environment["EDGEFLEET_SERVER"] = server.state()["url"]
    first = server.get("/certificates")["authority"]["fingerprint"]
    for block in commands("Rotate the certificate authority"):
        assert "no rotation: 0 of 0 devices" in reader.types(block)
    second = server.get("/certificates")["authority"]["fingerprint"]
    assert first != second
    certificate, key = signed_below(make(tmp_path / "root", EC), tmp_path / "middle")
    (tmp_path / "chain.pem").write_bytes(certificate)
    (tmp_path / "devices.key").write_bytes(key)
    for block in commands("Below your company's authority"):
        reader.types(block)
    assert [each["subject"] for each in server.get("/certificates/rotation")["authorities"]][-1] == "CN=middle"

    for block in commands("Root keys of several people"):
        shown = reader.types(block)
    assert re.search(r"root +2 .* 2 +offline", shown), shown
    assert re.search(r"targets +2 .* 1 +offline", shown), shown
    for block in commands("A root key is lost"):
        shown = reader.types(block)
    assert re.search(r"root +3 .* 2 +offline", shown), shown
    server.stop()
    for block in commands("The server's keys are lost"):
        assert "new keys for snapshot, timestamp" in reader.types(block)
    server.start()
    assert {role["role"]: role["version"] for role in server.get("/trust")["roles"]}["root"] == 4
    single = "edgefleet trust init --offline --root-public anna.pub --root-threshold 1 --targets-key targets.pem"
    with pytest.raises(AssertionError, match="so that one may be lost"):
        reader.types(single)
