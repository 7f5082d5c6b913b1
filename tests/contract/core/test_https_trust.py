"""A server whose authority is younger than the clock: every command says that the clock is probably wrong, with both times."""

from __future__ import annotations

import hashlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.cli import enroll
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.core.https_trust import AUTHORITY_VARIABLE, younger_than_clock
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.tls import TlsFiles
from edgefleet_contract.wire.enrolment import EnrolRequest
from edgefleet_server.cli.client import Client
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority

DAY_S = 86_400.0
DATE = r"20[0-9-]{8} [0-9:]{8} UTC"
BOTH = re.compile(
    rf"the authority's certificate is valid from ({DATE}), and the clock of this machine says ({DATE}), which is probably"
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[int]:
    """The port of a TLS server of the authority `ca.pem`, which is made in ten days."""
    authority = CertificateAuthority(tmp_path / "authority")
    later = time.time() + 10 * DAY_S
    authority.open(later)
    key, certificate = authority.broker_identity(["127.0.0.1"], later)
    (tmp_path / "ca.pem").write_text(authority.certificate)
    (tmp_path / "own.pem").write_bytes(key + certificate + authority.certificate.encode())
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "own.pem")
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            try:
                context.wrap_socket(line, server_side=True).close()
            except OSError:
                line.close()

    thread = threading.Thread(target=serve)
    thread.start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def check(text: str) -> None:
    found = BOTH.search(text)
    assert found, text
    begin, clock = (time.strptime(each, "%Y-%m-%d %H:%M:%S UTC") for each in found.groups())
    assert 8 * DAY_S < time.mktime(begin) - time.mktime(clock) < 11 * DAY_S


@pytest.mark.parametrize("way", ["file", "fingerprint"])
def test_enrolment(server: int, tmp_path: Path, way: str) -> None:
    url, pem = f"https://127.0.0.1:{server}", (tmp_path / "ca.pem").read_text()
    fingerprint = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()
    given = (str(tmp_path / "ca.pem"), None) if way == "file" else (None, fingerprint)
    trust = enroll._trust(url, *given, tmp_path)
    with pytest.raises(EdgefleetError) as caught:
        enroll._ask(url, EnrolRequest(token="t", device="d", request="r"), trust)
    check(str(caught.value))


def test_commands_of_operators(server: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(AUTHORITY_VARIABLE, str(tmp_path / "ca.pem"))
    with Client(f"https://127.0.0.1:{server}") as client, pytest.raises(EdgefleetError) as caught:
        client.fleet.get_health()
    check(str(caught.value))


def test_a_connection_to_the_broker(server: int, tmp_path: Path) -> None:
    limits = ConnectionLimits(reconnect_min_s=0.05, reconnect_max_s=0.1)
    address = BrokerAddress("127.0.0.1", server, tls=True)
    link = MqttClient(address, "d", [], lambda _: None, tls_files=TlsFiles(tmp_path / "ca.pem"), limits=limits)
    link.start()
    ends_s = time.monotonic() + 60
    while not link.tls_fault and time.monotonic() < ends_s:
        time.sleep(0.02)
    link.close(None, 0.1)
    check(link.tls_fault)


def test_without_a_younger_authority_the_clock_is_named_all_the_same() -> None:
    text = younger_than_clock(None, 0.0)
    assert text.startswith(
        "the server's certificate is not valid yet, and the clock of this machine says 1970-01-01 00:00:00 UTC"
    )
