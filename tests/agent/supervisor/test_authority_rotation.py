"""A device follows the server's authorities: it renews when they differ, and keeps certificate and authorities together."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials, read_identity
from edgefleet_agent.machine.identity_copy import read_or_restore
from edgefleet_agent.machine.server_authority import store_authority, stored_authority
from edgefleet_agent.supervisor import certificate_renewal
from edgefleet_agent.supervisor.certificate_renewal import ROTATION_RETRY_S, CertificateRenewal
from edgefleet_contract.core.pinned_authority import fingerprints
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.wire.enrolment import AuthorityOffer, Certificate, RenewRequest
from edgefleet_server.registry.identity.authorities import Authorities

NAME = "press-07"
URL = "https://fleet.example.com:8443"


class Rotation:
    """A device with an identity, and the server's authorities. The device's request is made in this process."""

    def __init__(self, state: Path, folder: Path) -> None:
        self.state = state
        self.now = time.time()
        self.authorities = Authorities(folder)
        self.authorities.open(self.now)
        key, request = new_request(NAME)
        issued = self.authorities.issue(request, NAME, 90.0, self.now)
        credentials = pack_credentials(key, issued.certificate, issued.issued_at, issued.expires_at)
        named = Named(device=NAME, broker_url="mqtts://fleet:8883", labels={"site": "lyon"})
        install_identity(state, named, self.authorities.bundle, credentials)
        store_authority(state, URL, self.authorities.bundle)
        self.renewal = CertificateRenewal([sys.executable, "-c", "print('request')"], state, read_identity(state))
        self.sent: list[str] = []
        line = SimpleNamespace(publish=lambda message: self.sent.append(decode(message.payload, RenewRequest).request))
        self.uplink = cast("Uplink", SimpleNamespace(connected=True, line=line))

    def offer(self, spread_s: float = 0.0, at: float = 0.0) -> None:
        names = fingerprints(self.authorities.bundle)
        self.renewal.offered(AuthorityOffer(authorities=names, spread_s=spread_s), at)

    def requests_at(self, at: float) -> bool:
        """Whether the device asks for a certificate at this time."""
        before = len(self.sent)
        self.renewal.turn(self.uplink, NAME, at, self.now)
        child: Any = self.renewal._child
        if child is not None:
            child[0].wait(60.0)
            self.renewal.turn(self.uplink, NAME, at, self.now)
        return len(self.sent) > before

    def answer(self) -> Certificate:
        """The server's answer to the key that the device has made."""
        key, request = new_request(NAME)
        (self.state / "identity/next.key").write_text(key)
        issued = self.authorities.issue(request, NAME, 90.0, self.now)
        bundle = self.authorities.bundle
        return Certificate(issued.certificate, issued.issued_at, issued.expires_at, bundle, bundle)


@pytest.fixture
def rotation(tmp_path: Path) -> Rotation:
    return Rotation(tmp_path / "state", tmp_path / "authority")


def test_a_device_follows_both_steps(rotation: Rotation) -> None:
    rotation.offer()
    assert not rotation.requests_at(1.0), "it has what is offered"
    for step in (lambda: rotation.authorities.begin(rotation.now), rotation.authorities.finish):
        step()
        rotation.offer()
        assert rotation.requests_at(2.0)
        rotation.renewal.granted(rotation.answer())
        found = read_identity(rotation.state)
        assert found is not None
        bundle = rotation.authorities.bundle
        assert rotation.renewal.authorities == list(found.authorities) == fingerprints(bundle)
        assert found.authority.read_text() == stored_authority(rotation.state, URL) == bundle
        assert dict(found.labels) == {"site": "lyon"}
        assert read_or_restore(rotation.state)[1] is False, "its copy is not of before"
        assert not rotation.requests_at(3.0)


def test_the_fleet_does_not_ask_at_once(rotation: Rotation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate_renewal.random, "uniform", lambda low, high: low + 0.5 * (high - low))
    rotation.authorities.begin(rotation.now)
    rotation.offer(spread_s=100.0)
    assert not rotation.requests_at(49.0)
    assert rotation.requests_at(50.0)
    rotation.offer(spread_s=100.0, at=51.0)  # at a new connection
    assert not rotation.requests_at(50.0 + ROTATION_RETRY_S - 1.0)
    assert rotation.requests_at(50.0 + ROTATION_RETRY_S), "the answer was lost"
    assert not rotation.requests_at(50.0 + 2.0 * ROTATION_RETRY_S)
    assert rotation.requests_at(50.0 + 3.0 * ROTATION_RETRY_S)


def test_an_answer_for_another_key_changes_nothing(rotation: Rotation) -> None:
    rotation.authorities.begin(rotation.now)
    before = read_identity(rotation.state)
    answer = rotation.answer()
    (rotation.state / "identity/next.key").write_text(new_request(NAME)[0])
    rotation.renewal.granted(answer)
    assert read_identity(rotation.state) == before == rotation.renewal.identity


def test_the_authority_of_another_https_server_stays(rotation: Rotation, tmp_path: Path) -> None:
    other = Authorities(tmp_path / "other")
    other.open(rotation.now)
    store_authority(rotation.state, URL, other.bundle)
    rotation.authorities.begin(rotation.now)
    rotation.renewal.granted(rotation.answer())
    assert stored_authority(rotation.state, URL) == other.bundle
    assert len(rotation.renewal.authorities) == 2
