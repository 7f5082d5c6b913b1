"""A broker's certificate, judged by what time it is at least, where the machine's clock cannot be right.

This machine's clock is right; so the broker's certificate is one of ten years from now, which is the same difference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent.link.mqtt import Broker, Connected, LinkEvent, MqttLink, Outgoing
from agent.link.tls import Papers
from agent.reconcile.inbox import Inbox
from fleet_server.link.broker import DeviceDoor, ManagedBroker
from fleet_server.registry.authority import BROKER_DAYS, Authority
from tests.fleet_server.papers import papers

DAY_S = 86_400.0
THEN = time.time() + 3650 * DAY_S
DEVICE = "press"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[[float], MqttLink]]:
    """Makes links of a device that knows what time it is at least."""
    authority = Authority(tmp_path / "authority")
    authority.open(time.time())
    key, certificate = authority.broker_identity(["127.0.0.1"], THEN)
    (tmp_path / "authority.pem").write_text(authority.certificate)
    own, _ = papers(authority, DEVICE, tmp_path, time.time())
    revoked = authority.revocation_list([], 1, time.time())
    door = DeviceDoor("127.0.0.1", 0, authority.certificate.encode(), certificate, key, revoked)
    broker = ManagedBroker(tmp_path / "broker", 0, door)
    broker.start()
    links: list[MqttLink] = []

    def make(known_s: float) -> MqttLink:
        inbox: Inbox[LinkEvent] = Inbox()
        links.append(
            MqttLink(
                Broker("127.0.0.1", broker.device_port, tls=True),
                DEVICE,
                [],
                lambda: (1, Outgoing(f"edgefleet/v1/d/{DEVICE}/up/presence", b"")),
                lambda event: inbox.put(event) and None,
                (0.05, 0.2),
                Papers(tmp_path / "authority.pem", own),
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


def connects(link: MqttLink, patience_s: float) -> bool:
    inbox: Inbox[LinkEvent] = link.inbox  # type: ignore[attr-defined]  # see `house`
    ends_s = time.monotonic() + patience_s
    while time.monotonic() < ends_s:
        if any(isinstance(event, Connected) for event in inbox.take(0.1)):
            return True
    return False


def test_a_device_that_woke_up_in_another_year_connects(house: Callable[[float], MqttLink]) -> None:
    assert connects(house(THEN + DAY_S), 30.0)


@pytest.mark.parametrize("known_s", [THEN - 30 * DAY_S, THEN + (BROKER_DAYS + 1) * DAY_S])
def test_a_certificate_of_no_date_that_counts(house: Callable[[float], MqttLink], known_s: float) -> None:
    """What is known judges as strictly as a clock would."""
    assert not connects(house(known_s), 1.5)
