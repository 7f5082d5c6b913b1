"""`edgefleet-agent enroll` sends its token only to the server whose authority has the given fingerprint."""

from __future__ import annotations

import io
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes

from edgefleet_agent.__main__ import main
from edgefleet_agent.cli.enroll import _write_settings
from edgefleet_agent.settings import read_settings
from edgefleet_contract.core.pinned_authority import parse_fingerprint, pinned_authority, pinned_context
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority

TOKEN = "tSECRETSECRETSECRET"
YEAR_S = 366 * 86_400.0


class WrongServer:
    """Listens on 127.0.0.1 with a chain (PEM with key), and records what clients send it inside TLS; without one: in clear."""

    def __init__(self, chain: Path | None) -> None:
        self.received = bytearray()
        self.connections = 0
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if chain else None
        if self._context and chain:
            self._context.load_cert_chain(chain)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _address = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.settimeout(10.0)
            try:
                taken = self._context.wrap_socket(connection, server_side=True) if self._context else connection
                while data := taken.recv(4096):
                    self.received += data
                    if not self._context:
                        break
                taken.close()
            except OSError:
                connection.close()

    def close(self) -> None:
        """End; what was received is complete then."""
        if self._listener.fileno() >= 0:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        self._thread.join(15.0)


Start = Callable[[Path | None], WrongServer]
Enroll = Callable[..., tuple[int, str]]


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[WrongServer] = []

    def run(chain: Path | None) -> WrongServer:
        started.append(WrongServer(chain))
        return started[-1]

    yield run
    for server in started:
        server.close()


def authority(folder: Path) -> CertificateAuthority:
    made = CertificateAuthority(folder)
    made.open(time.time())
    return made


def fingerprint(of: CertificateAuthority) -> str:
    return str(of.facts()["fingerprint"])


def chain(folder: Path, by: CertificateAuthority, shown: CertificateAuthority, host: str = "127.0.0.1", at: float = 0.0) -> Path:
    """Key and certificate by `by`, with the certificate of `shown` as the authority."""
    key, certificate = by.https_identity([host], at or time.time())
    file = folder / "chain.pem"
    file.write_bytes(key + certificate + shown.certificate.encode())
    return file


@pytest.fixture
def ours(tmp_path: Path) -> CertificateAuthority:
    return authority(tmp_path / "ours")


@pytest.fixture
def other(tmp_path: Path) -> CertificateAuthority:
    return authority(tmp_path / "other")


@pytest.fixture
def enroll(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Enroll:
    """Enrols on an empty device; returns (exit code, stderr)."""
    (tmp_path / "token").write_text(f"{TOKEN}\n")

    def run(url: str, *options: str) -> tuple[int, str]:
        where = ["--config", str(tmp_path / "agent.toml"), "--device", "line-7"]
        where += [] if "--state" in options else ["--state", str(tmp_path / "state")]
        token = [] if any(option.startswith("--token") for option in options) else ["--token-file", str(tmp_path / "token")]
        capsys.readouterr()
        code = main(["enroll", url, *token, *where, *options])
        return code, capsys.readouterr().err

    return run


def is_one_line(text: str) -> bool:
    return text.startswith("edgefleet-agent: ") and text.count("\n") == 1


def test_another_server_gets_nothing(
    start: Start, tmp_path: Path, ours: CertificateAuthority, other: CertificateAuthority, enroll: Enroll
) -> None:
    server = start(chain(tmp_path, other, other))
    code, text = enroll(server.url, "--ca-sha256", fingerprint(ours))
    assert code == 2
    assert is_one_line(text), text
    assert fingerprint(other) in text, "it shows what the server has"
    assert "nothing was sent" in text
    server.close()
    assert (server.connections, bytes(server.received)) == (1, b"")
    assert not (tmp_path / "agent.toml").exists()
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("fault", ["not signed by the authority", "not valid for", "expired"])
def test_the_authority_alone_is_no_proof(
    start: Start,
    tmp_path: Path,
    ours: CertificateAuthority,
    other: CertificateAuthority,
    enroll: Enroll,
    fault: str,
) -> None:
    """Its certificate is public: any server can show it."""
    shown = {
        "not signed by the authority": lambda: chain(tmp_path, other, ours),
        "not valid for": lambda: chain(tmp_path, ours, ours, host="fleet.example.com"),
        "expired": lambda: chain(tmp_path, ours, ours, at=time.time() - 2 * YEAR_S),
    }[fault]()
    server = start(shown)
    code, text = enroll(server.url, "--ca-sha256", fingerprint(ours))
    assert code == 2
    assert is_one_line(text), text
    assert fault in text
    server.close()
    assert (server.connections, bytes(server.received)) == (2, b"")


def test_a_server_without_tls_gets_no_token(start: Start, ours: CertificateAuthority, enroll: Enroll) -> None:
    server = start(None)
    code, text = enroll(server.url, "--ca-sha256", fingerprint(ours))
    assert code == 4
    assert is_one_line(text), text
    server.close()
    assert server.connections == 1
    assert TOKEN.encode() not in server.received
    assert b"HTTP" not in server.received


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--ca-sha256", "abc"], "64 hexadecimal digits"),
        (["--ca-sha256", "zz" * 32], "64 hexadecimal digits"),
        (["--token-file", "/nowhere/token"], "No such file"),
        (["--token-file", "/"], "--token-file /: Is a directory"),
        (["--token-file", "/dev/null"], "empty or too long"),
        (["--token", "x" * 129], "empty or too long"),
        (["--state", "/dev/null/state"], "/dev/null is not a folder"),
    ],
)
def test_what_is_wrong_here_is_found_before_a_connection(
    start: Start, tmp_path: Path, ours: CertificateAuthority, enroll: Enroll, options: list[str], why: str
) -> None:
    server = start(chain(tmp_path, ours, ours))
    pinned = [] if "--ca-sha256" in options else ["--ca-sha256", fingerprint(ours)]
    code, text = enroll(server.url, *options, *pinned)
    assert (code, is_one_line(text)) == (2, True), text
    assert why in text
    assert server.connections == 0


def test_a_fingerprint_needs_https(enroll: Enroll, ours: CertificateAuthority) -> None:
    code, text = enroll("http://127.0.0.1:1", "--ca-sha256", fingerprint(ours))
    assert (code, is_one_line(text)) == (2, True)
    assert "requires an https URL" in text


def test_the_end_of_stdin_is_no_token(monkeypatch: pytest.MonkeyPatch, enroll: Enroll) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    code, text = enroll("https://127.0.0.1:1", "--token-file", "-")
    assert (code, is_one_line(text)) == (2, True)
    assert "stdin has ended" in text


def test_a_server_that_is_away_is_named(enroll: Enroll, ours: CertificateAuthority) -> None:
    code, text = enroll("https://127.0.0.1:1", "--ca-sha256", fingerprint(ours))
    assert (code, is_one_line(text)) == (4, True)
    assert "no response from https://127.0.0.1:1" in text


def test_fingerprints_as_openssl_prints_them() -> None:
    plain = "0a" * 32
    assert parse_fingerprint(":".join(["0A"] * 32), "--ca-sha256") == plain
    assert parse_fingerprint(f" {plain}\n", "--ca-sha256") == plain


def test_any_certificate_of_the_chain_may_be_named(start: Start, tmp_path: Path, ours: CertificateAuthority) -> None:
    """A server with a certificate of a company may be named by an authority below its root."""
    file = chain(tmp_path, ours, ours)
    server = start(file)
    for certificate in x509.load_pem_x509_certificates(file.read_bytes()):
        found = pinned_authority(server.url, certificate.fingerprint(hashes.SHA256()).hex(), 10.0)
        assert x509.load_pem_x509_certificate(found.encode()) == certificate
        host, port = "127.0.0.1", int(server.url.rpartition(":")[2])
        with (
            socket.create_connection((host, port), 10.0) as raw,
            pinned_context(found).wrap_socket(raw, server_hostname=host) as tls,
        ):
            assert tls.getpeercert()


def test_the_chain_is_valid_by_strict_rules(start: Start, tmp_path: Path, ours: CertificateAuthority) -> None:
    """Python 3.13 and later verify by RFC 5280 to the letter."""
    server = start(chain(tmp_path, ours, ours))
    context = pinned_context(ours.certificate)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), 10.0) as raw:
        context.wrap_socket(raw, server_hostname="127.0.0.1").close()


def test_new_settings_name_the_folder_of_pipelines_beside_them(tmp_path: Path) -> None:
    """The Debian package makes it: what is put there runs."""
    _write_settings(tmp_path / "agent.toml", "line-7", tmp_path / "state", {"site": "lyon"})
    assert read_settings(tmp_path / "agent.toml").pipelines == ""
    (tmp_path / "pipelines").mkdir()
    _write_settings(tmp_path / "agent.toml", "line-7", tmp_path / "state", {"site": "lyon"})
    settings = read_settings(tmp_path / "agent.toml")
    assert (settings.pipelines, settings.labels) == (f"{tmp_path}/pipelines", {"site": "lyon"})
