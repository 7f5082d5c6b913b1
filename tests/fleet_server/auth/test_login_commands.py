"""People on the command line: on a data folder, over a server, over TLS."""

from __future__ import annotations

import gc
import io
import json
import os
import re
import shutil
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
import yaml

from edgefleet_server.__main__ import main
from tests.fleet_server.auth.conftest import PASSWORD, Peopled
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess

pytestmark = [
    pytest.mark.system,
    # commands leave their connection to the end of their process, which here is the test's
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


class Completed(NamedTuple):
    """The result of a command."""

    returncode: int
    stdout: str
    stderr: str


class Terminal:
    """A user's shell with its own home: `edgefleet` as its entry point is called, without a process for each command."""

    def __init__(self, home: Path, **more: str) -> None:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("EDGEFLEET_")}
        self._environment = {**clean, "XDG_CONFIG_HOME": str(home), **more}

    def __call__(self, *arguments: str, typed: str = "") -> Completed:
        stdout, stderr = io.StringIO(), io.StringIO()
        before, keyboard = dict(os.environ), sys.stdin
        try:
            os.environ.clear()
            os.environ.update(self._environment)
            sys.stdin = io.StringIO(typed)
            with redirect_stdout(stdout), redirect_stderr(stderr):
                code = main(arguments)
        finally:
            sys.stdin = keyboard
            os.environ.clear()
            os.environ.update(before)
        return Completed(code, stdout.getvalue(), stderr.getvalue())


def test_sign_in_from_a_terminal(people: Peopled, tmp_path: Path) -> None:
    """Signed in, the role holds; a token in the environment does the same; signed out, nothing works."""
    terminal = Terminal(tmp_path / "vera", EDGEFLEET_SERVER=people.url)
    refused = terminal("device", "list")
    assert (refused.returncode, "sign in first" in refused.stderr) == (7, True)
    done = terminal("login", "vera", "--password-stdin", typed=PASSWORD + "\n")
    assert "as vera (viewer)" in done.stdout, done.stderr
    credentials = tmp_path / "vera" / "edgefleet" / "sessions.json"
    assert credentials.stat().st_mode & 0o777 == 0o600
    assert terminal("device", "list").returncode == 0
    paused = terminal("rollout", "pause", "1")
    assert (paused.returncode, "pause_rollout requires role operator" in paused.stderr) == (7, True)
    made = json.loads(terminal("user", "token", "create", "cron", "--json").stdout)
    program = Terminal(tmp_path / "nobody", EDGEFLEET_SERVER=people.url, EDGEFLEET_TOKEN=made["secret"])
    assert program("rollout", "list").returncode == 0
    assert made["id"] in terminal("user", "token", "list").stdout
    assert terminal("user", "token", "revoke", made["id"]).returncode == 0
    assert program("rollout", "list").returncode == 7
    assert "signed out" in terminal("logout").stdout
    assert terminal("device", "list").returncode == 7


def test_an_administrator_at_a_terminal(people: Peopled, tmp_path: Path) -> None:
    """Users are added, changed, removed; the log is read and verified."""
    terminal = Terminal(tmp_path, EDGEFLEET_SERVER=people.url, EDGEFLEET_TOKEN=people.tokens["admin"])
    weak = terminal("user", "add", "cleo", "--role", "operator", "--password-stdin", typed="short\n")
    assert (weak.returncode, "10 to 256 characters" in weak.stderr) == (2, True)
    assert terminal("user", "add", "cleo", "--role", "operator", "--password-stdin", typed=PASSWORD + "\n").returncode == 0
    assert "cleo is viewer, disabled" in terminal("user", "set", "cleo", "--role", "viewer", "--disable").stdout
    assert "disabled" in terminal("user", "list").stdout
    assert terminal("user", "remove", "cleo").returncode == 0
    assert "delete_user" in terminal("audit", "list", "--actor", "ada").stdout
    assert "the audit log is valid" in terminal("audit", "verify").stdout


def test_a_forged_log_is_found_on_the_data_folder(tmp_path: Path) -> None:
    """Without a server: the first user must have role administrator; a row changed behind our back shows, with its number."""
    data = tmp_path / "fleet"
    terminal = Terminal(tmp_path)
    where = ("--data", str(data), "--password-stdin")
    assert "must have role admin" in terminal("user", "add", "ada", "--role", "viewer", *where, typed=PASSWORD + "\n").stderr
    assert "lower-case" in terminal("user", "add", "Ada", "--role", "admin", *where, typed=PASSWORD + "\n").stderr
    assert terminal("user", "add", "ada", "--role", "admin", *where, typed=PASSWORD + "\n").returncode == 0
    assert terminal("user", "token", "create", "ci", "--user", "ada", "--data", str(data)).stdout.split()[-1].startswith("eft_")
    assert "the audit log is valid: 2 entries" in terminal("audit", "verify", "--data", str(data)).stdout
    with sqlite3.connect(data / "fleet.db") as forger:
        forger.execute("DROP TRIGGER audit_no_update")
        forger.execute("UPDATE audit SET actor = 'somebody else' WHERE seq = 1")
    forger.close()
    found = terminal("audit", "verify", "--data", str(data))
    assert (found.returncode, "entry 1 was changed" in found.stderr) == (6, True)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-signed certificate for 127.0.0.1; its key lies beside it."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=fleet", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*made, *names], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "cert.pem"


@pytest.fixture
def reachable(tmp_path: Path, certificate: Path) -> Iterator[ServerProcess]:
    """A server on every address, over TLS; it has a user, or it would not start."""
    tls = ("--host", "0.0.0.0", "--tls-cert", str(certificate), "--tls-key", str(certificate.with_name("key.pem")))
    terminal = Terminal(tmp_path)
    data = tmp_path / "fleet"
    alone = terminal("serve", "--data", str(data), "--port", "0", "--mqtt-port", "0", *tls)
    assert (alone.returncode, "requires a user" in alone.stderr) == (2, True)
    added = terminal("user", "add", "ada", "--role", "admin", "--password-stdin", "--data", str(data), typed=PASSWORD + "\n")
    assert added.returncode == 0, added.stderr
    server = ServerProcess(data, *tls)
    try:
        yield server.start()
    finally:
        server.stop()


def test_beyond_loopback_over_tls(reachable: ServerProcess, certificate: Path, tmp_path: Path) -> None:
    """Signed in over HTTPS under any name, with a cookie that never travels without; the terminal trusts the authority given."""
    url = reachable.state()["url"].replace("0.0.0.0", "127.0.0.1")
    assert url.startswith("https://")
    terminal = Terminal(tmp_path / "home", EDGEFLEET_SERVER=url, EDGEFLEET_CA=str(certificate))
    done = terminal("login", "ada", "--password-stdin", typed=PASSWORD + "\n")
    assert "as ada (admin)" in done.stdout, done.stderr
    assert terminal("user", "list").returncode == 0
    with httpx.Client(base_url=f"{url}/api/v1", verify=ssl.create_default_context(cafile=str(certificate))) as client:
        assert client.get("/devices", headers={"host": "fleet.example"}).status_code == 401
        answer = client.post("/session", json={"name": "ada", "password": PASSWORD})
        cookie = {part.strip() for part in answer.headers["set-cookie"].split(";")}
        assert any(part.startswith("__Host-edgefleet=efs_") for part in cookie)
        assert {"Secure", "HttpOnly", "SameSite=lax", "Path=/"} <= cookie


def test_prometheus_scrapes_as_documented(reachable: ServerProcess, certificate: Path, tmp_path: Path) -> None:
    """The lines of docs/server.md against a server that other machines reach; only address, file and token are those of here."""
    text = re.search(r"```yaml\n(scrape_configs:.*?)```", (ROOT / "docs/server.md").read_text(), re.DOTALL)
    assert text is not None
    (job,) = yaml.safe_load(text[1])["scrape_configs"]
    command = re.search(r"# edgefleet (user token create .*)", text[1])
    assert command is not None
    on_the_folder = ("--user", "ada", "--data", str(reachable.data))
    secret = Terminal(tmp_path)(*command[1].split(), *on_the_folder).stdout.split()[-1]
    (target,) = job["static_configs"][0]["targets"]
    address = f"127.0.0.1:{reachable.state()['url'].rpartition(':')[2]}"
    trusted = ssl.create_default_context(cafile=str(certificate) if "ca_file" in job.get("tls_config", {}) else None)
    url = f"{job.get('scheme', 'http')}://{target}/metrics".replace(target, address)
    headers = {"authorization": f"Bearer {job['authorization']['credentials']}".replace("eft_…", secret)}
    answer = httpx.get(url, headers=headers, verify=trusted)
    assert (answer.status_code, "edgefleet_" in answer.text) == (200, True)


def test_an_authority_of_ones_own(reachable: ServerProcess, certificate: Path, tmp_path: Path) -> None:
    """A device enrols by `--ca` or the environment; without, both programs name the certificate and the way out."""
    url = reachable.state()["url"].replace("0.0.0.0", "127.0.0.1")
    operator = Terminal(tmp_path / "home", EDGEFLEET_SERVER=url, EDGEFLEET_CA=str(certificate))
    assert operator("login", "ada", "--password-stdin", typed=PASSWORD + "\n").returncode == 0
    distrusting = Terminal(tmp_path / "home", EDGEFLEET_SERVER=url)("device", "list")
    assert (distrusting.returncode, distrusting.stdout) == (2, "")
    assert "self-signed certificate; specify the CA certificate: EDGEFLEET_CA=FILE" in distrusting.stderr
    refused = enrol(tmp_path / "d-0", url, "T")
    assert refused.returncode == 2
    assert (
        "self-signed certificate; specify the CA certificate: --ca-sha256 HEX, --ca FILE or EDGEFLEET_CA=FILE" in refused.stderr
    )
    elsewhere = enrol(tmp_path / "d-0", url.replace("127.0.0.1", "localhost"), "T", "--ca", str(certificate))
    assert "use a host name or address that is in the certificate" in elsewhere.stderr
    no_file = enrol(tmp_path / "d-0", url, "T", "--ca", str(tmp_path / "none.pem"))
    assert (no_file.returncode, "specify a PEM file of CA certificates" in no_file.stderr) == (2, True)
    for number, given in enumerate([("--ca", str(certificate)), ()], 1):
        made = json.loads(operator("token", "create", "--json").stdout)
        environment = {} if given else {"EDGEFLEET_CA": str(certificate)}
        done = enrol(tmp_path / f"d-{number}", url, made["token"], *given, **environment)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["device"] == f"d-{number}"
    gc.collect()  # connections of commands that failed: closed here, where such warnings are expected


def enrol(folder: Path, url: str, token: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`edgefleet-agent enroll` of a device that has nothing yet."""
    where = ["--device", folder.name, "--config", str(folder / "agent.toml"), "--state", str(folder / "state")]
    command = [sys.executable, "-m", "edgefleet_agent", "enroll", url, "--token", token, "--json", *where, *options]
    inherited = {name: value for name, value in os.environ.items() if name != "EDGEFLEET_CA"}
    return subprocess.run(command, env={**inherited, **environment}, capture_output=True, text=True, timeout=240)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--host", "0.0.0.0"), "--tls-cert and --tls-key"),
        (("--host", "0.0.0.0", "--insecure-http"), "requires a user"),
        (("--public-url", "https://fleet.example"), "requires a user"),
        (("--public-url", "fleet.example"), "must be http://HOST or https://HOST"),
        (("--tls-cert", "x.pem"), "must be set together"),
        (("--tls-cert", "x.pem", "--tls-key", "x.pem"), "specify a PEM certificate"),
    ],
)
def test_no_server_that_others_reach_stands_open(arguments: tuple[str, ...], text: str, tmp_path: Path) -> None:
    """Refused before anything listens, with what to do."""
    done = Terminal(tmp_path)("serve", "--data", str(tmp_path / "fleet"), "--port", "0", "--mqtt-port", "0", *arguments)
    assert done.returncode == 2
    assert text in done.stderr.strip().splitlines()[-1]
