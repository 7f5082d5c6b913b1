"""`serve --tls-self-signed` with devices that enrol by the printed line: certificate, pin, tokens, restarts, warnings."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from cryptography import x509

from edgefleet_server.registry.identity import https_certificate
from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.import_path import import_path

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None,
        reason="mosquitto is not installed: apt-get install mosquitto",
    ),
]

HOST = "127.0.0.2"
PASSWORD = "correct horse battery staple"


def typed(program: str, *words: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("EDGEFLEET_")}
    environment = {**clean, "PYTHONPATH": import_path(), **more}
    command = [sys.executable, "-m", program, *words]
    return subprocess.run(
        command, cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True, timeout=120, check=False
    )


def edgefleet(data: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command on the machine of the server, whose data folder is in the environment."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("EDGEFLEET_")}
    return template().run(words, {**clean, "EDGEFLEET_DATA": str(data), **more})


def paste(line: str, folder: Path, device: str = "") -> subprocess.CompletedProcess[str]:
    """The printed line in a device's shell. Where the device keeps its files is of here."""
    programs = f'edgefleet-agent() {{ {sys.executable} -m edgefleet_agent "$@"; }}\n'
    here = f" --config {folder}/agent.toml --state {folder}/state" + (f" --device {device}" if device else "")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("EDGEFLEET_")}
    environment = {**clean, "PYTHONPATH": import_path()}
    return subprocess.run(
        ["sh", "-c", programs.replace("edgefleet-agent()", "agent()") + line.replace("edgefleet-agent", "agent") + here],
        cwd=folder.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def serve(data: Path, host: str, *more: str) -> ServerProcess:
    return ServerProcess(data, "--tls-self-signed", "--device-host", host, *more, plain_devices=False)


def health(server: ServerProcess) -> dict[str, object]:
    context = ssl.create_default_context(cafile=server.data / "authority/authority.crt")
    answer = httpx.get(f"{server.state()['url']}/api/v1/health", verify=context, timeout=30.0)
    found: dict[str, object] = answer.json()
    return found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    started = serve(tmp_path / "fleet", HOST).start()
    yield started
    started.stop()


def test_the_printed_line_enrols_one_device_once(server: ServerProcess, tmp_path: Path) -> None:
    made = edgefleet(server.data, "token", "create", "--label", "site=lyon")
    assert made.returncode == 0, made.stderr
    line = made.stdout.strip()
    assert "\n" not in line
    pin = x509.load_pem_x509_certificate((server.data / "authority/authority.crt").read_bytes())
    assert f" https://{HOST}:" in line
    done = paste(line, tmp_path / "one", "line-1")
    assert done.returncode == 0, done.stderr
    assert "line-1 enrolled; broker mqtts://127.0.0.2:" in done.stdout
    stored = json.loads((tmp_path / "one/state/server_authority.json").read_bytes())
    assert x509.load_pem_x509_certificate(stored["authority"].encode()) == pin
    second = paste(line, tmp_path / "two", "line-2")
    assert second.returncode == 2
    assert "unknown, used, expired" in second.stderr
    assert not (tmp_path / "two/agent.toml").exists()
    assert "used by line-1" in edgefleet(server.data, "token", "list").stdout


def test_the_stored_authority_is_used_at_the_next_enrolment(server: ServerProcess, tmp_path: Path) -> None:
    first = json.loads(edgefleet(server.data, "token", "create", "--device", "line-1", "--json").stdout)
    assert paste(first["command"], tmp_path / "one").returncode == 0
    token = json.loads(edgefleet(server.data, "token", "create", "--device", "line-1", "--json").stdout)["token"]
    again = f"echo {token} | edgefleet-agent enroll {first['url']} --again --token-file -"
    done = paste(again, tmp_path / "one")
    assert done.returncode == 0, done.stderr
    unknown = paste(again.replace("--again ", ""), tmp_path / "two", "line-2")
    assert unknown.returncode == 2
    assert "specify the CA certificate: --ca-sha256 HEX, --ca FILE or EDGEFLEET_CA=FILE" in unknown.stderr


def test_an_expired_token_and_a_wrong_pin(server: ServerProcess, tmp_path: Path) -> None:
    short = json.loads(edgefleet(server.data, "token", "create", "--hours", "0.0001", "--json").stdout)
    eventually("it expires", lambda: "expired" in edgefleet(server.data, "token", "list").stdout)
    late = paste(short["command"], tmp_path / "one", "line-1")
    assert late.returncode == 2
    assert "expired" in late.stderr
    good = json.loads(edgefleet(server.data, "token", "create", "--json").stdout)
    wrong = paste(good["command"].replace(good["ca_sha256"], "0" * 64), tmp_path / "one", "line-1")
    assert wrong.returncode == 2
    assert good["ca_sha256"] in wrong.stderr
    assert paste(good["command"], tmp_path / "one", "line-1").returncode == 0, "the wrong try did not use the token"


def test_the_token_may_travel_in_a_file(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "line-1.token"
    made = edgefleet(server.data, "token", "create", "--device", "line-1", "--out", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    secret = file.read_text().strip()
    assert secret not in made.stdout + made.stderr
    assert secret not in edgefleet(server.data, "token", "create", "--json", "--out", str(tmp_path / "other")).stdout
    done = paste(made.stdout.strip(), tmp_path / "one")
    assert done.returncode == 0, done.stderr
    again = edgefleet(server.data, "token", "create", "--out", str(file))
    assert (again.returncode, "exists" in again.stderr) == (2, True)
    nowhere = edgefleet(server.data, "token", "create", "--out", "/nowhere/token")
    assert (nowhere.returncode, nowhere.stderr.count("\n")) == (6, 1)
    assert len(json.loads(edgefleet(server.data, "token", "list", "--json").stdout)["items"]) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_the_qr_code_is_the_line(server: ServerProcess, encoding: str) -> None:
    data = {"EDGEFLEET_DATA": str(server.data)}
    made = typed("edgefleet_server", "token", "create", "--qr", PYTHONIOENCODING=encoding, **data)
    line, *drawn = made.stdout.splitlines()
    assert made.returncode == 0, made.stderr
    # OpenCV's other detector does not read every twentieth of such codes.
    picture = _picture(drawn, compact=encoding == "utf-8")
    assert cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0] == line


def _picture(drawn: list[str], *, compact: bool) -> np.ndarray:
    """The modules of a drawn code as pixels; a character is two modules high, or a module is two characters wide."""
    rows: list[list[int]] = []
    for text in drawn:
        if compact:
            halves = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
            rows += [[halves[sign][half] for sign in text] for half in (0, 1)]
            continue
        row: list[int] = []
        for part in text.split("\x1b[")[1:]:
            colour, _m, signs = part.partition("m")
            row += [255 if colour == "7" else 0] * (len(signs) // 2)
        rows.append(row)
    width = max(len(row) for row in rows)
    modules = np.array([row + [255] * (width - len(row)) for row in rows if row], np.uint8)
    return np.kron(modules, np.ones((6, 6), np.uint8))


def test_restart_and_another_device_host(server: ServerProcess, tmp_path: Path) -> None:
    file = server.data / https_certificate.FILE
    before, mode = file.read_bytes(), stat.S_IMODE(file.stat().st_mode)
    assert mode == 0o600
    server.stop()
    server.start()
    assert file.read_bytes() == before, "a restart keeps the certificate"
    pin = server.state()["enrolment"]["ca_sha256"]
    server.stop()
    stopped = edgefleet(server.data, "token", "create")
    assert (stopped.returncode, "is not running" in stopped.stderr) == (0, True)
    assert f"https://{HOST}:" in stopped.stdout
    moved = serve(server.data, "::1").start()
    try:
        assert file.read_bytes() != before
        line = edgefleet(server.data, "token", "create").stdout.strip()
        assert "https://[::1]:" in line
        assert pin in line, "the authority stays"
        done = paste(line, tmp_path / "one", "line-1")
        assert done.returncode == 0, done.stderr
        assert "broker mqtts://[::1]:" in done.stdout
    finally:
        moved.stop()


def test_a_token_may_be_created_while_the_server_starts(server: ServerProcess) -> None:
    """Both commands are pasted at once: the line has the address of the new start, not that of the last one."""
    server.stop()
    words = [sys.executable, "-m", "edgefleet_server", "token", "create", "--data", str(server.data)]
    environment = {**os.environ, "PYTHONPATH": import_path()}
    early = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    moved = serve(server.data, "127.0.0.3").start()
    try:
        line, notes = early.communicate(timeout=120)
        assert " https://127.0.0.3:" in line, notes
    finally:
        moved.stop()


def test_a_server_for_others_needs_a_user_and_listens_on_all_addresses(tmp_path: Path) -> None:
    data = tmp_path / "fleet"
    early = edgefleet(data, "token", "create")
    assert (early.returncode, early.stderr.count("\n")) == (4, 1)
    assert "start it with `edgefleet serve`" in early.stderr
    open_to_all = (
        "serve",
        "--port",
        "0",
        "--mqtt-port",
        "0",
        "--mqtts-port",
        "0",
        "--tls-self-signed",
        "--device-host",
        "fleet.test",
    )
    refused = edgefleet(data, *open_to_all)
    assert refused.returncode == 2
    assert "edgefleet user add NAME --role admin" in refused.stderr
    added = typed(
        "edgefleet_server", "user", "add", "ada", "--role", "admin", "--password-stdin", stdin=PASSWORD, EDGEFLEET_DATA=str(data)
    )
    assert added.returncode == 0, added.stderr
    server = serve(data, "fleet.test").start()
    try:
        state = server.state()
        assert state["url"].startswith("https://0.0.0.0:")
        assert state["device_url"].startswith("mqtts://fleet.test:")
        assert state["enrolment"]["url"].startswith("https://fleet.test:")
        assert state["enrolment"]["warning"] == ""
        names = x509.load_pem_x509_certificate((data / https_certificate.FILE).read_bytes()).extensions
        assert "fleet.test" in names.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(x509.DNSName)
        assert "would be sent" not in server.log.read_text()
    finally:
        server.stop()


def test_devices_elsewhere_that_would_be_sent_to_loopback_are_warned_about(tmp_path: Path) -> None:
    data = tmp_path / "fleet"
    typed(
        "edgefleet_server", "user", "add", "ada", "--role", "admin", "--password-stdin", stdin=PASSWORD, EDGEFLEET_DATA=str(data)
    )
    token = edgefleet(data, "user", "token", "create", "look", "--user", "ada", "--role", "admin", "--json")
    headers = {"Authorization": f"Bearer {json.loads(token.stdout)['secret']}"}
    server = serve(data, "127.0.0.1", "--host", "0.0.0.0").start()
    try:
        warning = "devices on other machines would be sent to 127.0.0.1: start the server with --device-host NAME"
        assert server.log.read_text().count(warning) == 1
        context = ssl.create_default_context(cafile=data / "authority/authority.crt")
        url = server.state()["url"].replace("0.0.0.0", "127.0.0.1")
        with httpx.Client(base_url=f"{url}/api/v1", verify=context, headers=headers) as client:
            assert [text.startswith(warning) for text in client.get("/health").json()["address_warnings"]] == [True]
            assert (
                client.get("/overview").json()["server"]["address_warnings"] == client.get("/health").json()["address_warnings"]
            )
            made = client.post("/enrolment-tokens", json={}).json()
        assert made["warning"].startswith(warning)
        assert warning in edgefleet(data, "token", "create").stderr
    finally:
        server.stop()


def test_nothing_is_warned_about_on_a_machine_of_its_own(server: ServerProcess) -> None:
    assert health(server)["address_warnings"] == []


def test_a_data_folder_on_a_read_only_disk(server: ServerProcess, tmp_path: Path) -> None:
    """Tokens are listed; a new one is refused in one line."""
    edgefleet(server.data, "token", "create", "--device", "line-1")
    server.stop()
    mount = tmp_path / "read-only"
    mount.mkdir()
    bound = subprocess.run(
        ["mount", "--bind", "-o", "ro", str(server.data), str(mount)], capture_output=True, text=True, check=False
    )
    if bound.returncode:
        pytest.skip(f"this machine cannot mount: {bound.stderr.strip()}")
    try:
        assert "line-1" in edgefleet(mount, "token", "list").stdout
        for words in (("token", "create"), ("token", "revoke", "0" * 12), ("serve", "--tls-self-signed")):
            refused = edgefleet(mount, *words)
            assert (refused.returncode, refused.stderr.count("\n")) == (6, 1), (words, refused.stderr)
    finally:
        subprocess.run(["umount", str(mount)], check=True)
