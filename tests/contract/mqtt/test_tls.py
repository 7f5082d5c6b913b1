"""A broker's certificate, judged by the known lower bound of the time if the machine's clock is wrong.

This machine's clock is correct; therefore the broker's certificate starts in ten years, which is the same difference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, LinkEvent, Outgoing
from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.tls import TlsFiles
from edgefleet_server.link.mosquitto import DeviceListener, ManagedBroker
from edgefleet_server.registry.identity.certificate_authority import BROKER_DAYS, CertificateAuthority
from tests.fleet_server.fakes.trust_metadata import identity_file

DAY_S = 86_400.0
THEN = time.time() + 3650 * DAY_S
DEVICE = "press"


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Callable[[float], MqttClient]]:
    """Makes connections of a device with a known lower bound of the time."""
    authority = CertificateAuthority(tmp_path / "authority")
    authority.open(time.time())
    key, certificate = authority.broker_identity(["127.0.0.1"], THEN)
    (tmp_path / "authority.pem").write_text(authority.certificate)
    own, _ = identity_file(authority, DEVICE, tmp_path, time.time())
    revoked = authority.revocation_list([], 1, time.time())
    listener = DeviceListener("127.0.0.1", 0, authority.certificate.encode(), certificate, key, revoked)
    broker = ManagedBroker(tmp_path / "broker", 0, listener)
    broker.start()
    links: list[MqttClient] = []

    def make(known_s: float) -> MqttClient:
        inbox: Inbox[LinkEvent] = Inbox()
        links.append(
            MqttClient(
                BrokerAddress("127.0.0.1", broker.device_port, tls=True),
                DEVICE,
                [],
                lambda event: inbox.put(event) and None,
                lambda: (1, Outgoing(f"edgefleet/v1/d/{DEVICE}/up/presence", b"")),
                tls_files=TlsFiles(tmp_path / "authority.pem", own),
                limits=ConnectionLimits(reconnect_min_s=0.05, reconnect_max_s=0.2),
                known_wall=lambda: known_s,
            )
        )
        links[-1].inbox = inbox  # type: ignore[attr-defined]  # for `connects`
        links[-1].start()
        return links[-1]

    yield make
    for link in links:
        link.close(None, 0.1)
    broker.stop()


def connects(link: MqttClient, patience_s: float) -> bool:
    inbox: Inbox[LinkEvent] = link.inbox  # type: ignore[attr-defined]  # see `house`
    ends_s = time.monotonic() + patience_s
    while time.monotonic() < ends_s:
        if any(isinstance(event, Connected) for event in inbox.take(0.1)):
            return True
    return False


def test_a_device_that_woke_up_in_another_year_connects(connect: Callable[[float], MqttClient]) -> None:
    assert connects(connect(THEN + DAY_S), 30.0)


@pytest.mark.parametrize("known_s", [THEN - 30 * DAY_S, THEN + (BROKER_DAYS + 1) * DAY_S], ids=["too early", "too late"])
def test_a_certificate_of_no_date_that_counts(connect: Callable[[float], MqttClient], known_s: float) -> None:
    """The known time rejects a certificate as strictly as a correct clock does."""
    assert not connects(connect(known_s), 1.5)


OWN = "own"
"""The device's authority; `OTHER` is made anew in its place."""
OTHER = "other"


@pytest.mark.parametrize(
    ("trusted", "signer", "days_ago", "names", "broker_days_ago", "revoked", "text"),
    [
        (OTHER, OWN, 0, "127.0.0.1", 0, False, "not of this device's authority; enroll this device again"),
        (OWN, OTHER, 0, "127.0.0.1", 0, False, "refuses this device's certificate (not of the server's authority)"),
        (OWN, OWN, 400, "127.0.0.1", 0, False, "refuses this device's certificate (expired)"),
        (OWN, OWN, 0, "127.0.0.1", 0, True, "refuses this device's certificate (revoked)"),
        (OWN, OWN, 0, "10.9.9.9", 0, False, "is not for this host name"),
        (OWN, OWN, 0, "127.0.0.1", 5000, False, "the server's certificate has expired"),
        (OWN, OWN, 0, "127.0.0.1", -500, False, "the server's certificate is not valid yet"),
    ],
)
def test_each_reason_for_which_tls_fails_has_its_text(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    trusted: str,
    signer: str,
    days_ago: int,
    names: str,
    broker_days_ago: int,
    *,
    revoked: bool,
    text: str,
) -> None:
    now = time.time()
    authorities = {name: CertificateAuthority(tmp_path / name) for name in (OWN, OTHER)}
    for authority in authorities.values():
        authority.open(now)
    server = authorities[OWN]
    key, certificate = server.broker_identity([names], now - broker_days_ago * DAY_S)
    (tmp_path / "authority.pem").write_text(authorities[trusted].certificate)
    own, serial = identity_file(authorities[signer], DEVICE, tmp_path, now - days_ago * DAY_S)
    list_of_revoked = server.revocation_list([(serial, now)] if revoked else [], 1, now)
    broker = ManagedBroker(
        tmp_path / "broker", 0, DeviceListener("127.0.0.1", 0, server.certificate.encode(), certificate, key, list_of_revoked)
    )
    broker.start()
    link = MqttClient(
        BrokerAddress("127.0.0.1", broker.device_port, tls=True),
        DEVICE,
        [],
        lambda _event: None,
        tls_files=TlsFiles(tmp_path / "authority.pem", own),
        limits=ConnectionLimits(reconnect_min_s=0.05, reconnect_max_s=0.1),
    )
    link.start()
    ends_s = time.monotonic() + 120
    while text not in link.tls_fault and time.monotonic() < ends_s:
        time.sleep(0.02)
    assert text in link.tls_fault
    while "TLS failed with 127.0.0.1" not in caplog.text and time.monotonic() < ends_s:
        time.sleep(0.02)
    time.sleep(0.5)
    link.close(None, 0.1)
    broker.stop()
    reasons = [record.getMessage() for record in caplog.records if "TLS failed with" in record.getMessage()]
    assert len(reasons) == len(set(reasons))
    assert 1 <= len(reasons) <= 3, "not one for each try"
