"""Tokens, certificates and locks, against the real database and the real authority."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from edgefleet_contract.core.pinned_authority import fingerprints
from edgefleet_contract.wire.enrolment import EnrolRequest, EnrolResponse, EnrolWaiting
from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError, StoreError
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import enrolment_requests, identities
from edgefleet_server.db.devices.enrolment_requests import RequestState
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.registry.identity.authorities import Authorities, stage
from edgefleet_server.registry.identity.enrolment import Enrolment
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.trust_metadata import request

NOW = 1_800_000_000.0
ROOT = b"{}"


class EnrolmentHarness:
    """An enrolment desk, and who was shut out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = Database(migrated_file(folder / "fleet.db"))
        self.database.migrate()
        authority = Authorities(folder / "authority")
        authority.open(NOW)
        self.enrolment = Enrolment(self.database, authority, 90.0)
        self.revocations: list[tuple[str, int]] = []
        self.enrolment.apply_revocation = lambda revoked, device: self.revocations.append(
            (device, len(x509.load_pem_x509_crl(revoked)))
        )

    def token(self, device: str = "", life_s: float = 60.0, **labels: str) -> str:
        return str(self.enrolment.create_token(device, labels, life_s, NOW)["token"])

    def enrol(self, token: str, device: str = "press-07", now: float = NOW) -> EnrolResponse:
        answer = self.ask(token, device, now)
        assert isinstance(answer, EnrolResponse)
        return answer

    def ask(
        self, token: str, device: str, now: float = NOW, key: ec.EllipticCurvePrivateKey | None = None
    ) -> EnrolResponse | EnrolWaiting:
        enrol_request = EnrolRequest(token=token, device=device, request=request(device, key) if key else request(device))
        return self.enrolment.enrol(enrol_request, "mqtts://fleet:8883", ROOT, now)

    def decide(self, state: RequestState, device: str, key_sha256: str = "", now: float = NOW) -> dict[str, str]:
        with self.database.write() as connection:
            return enrolment_requests.decide(connection, [(device, key_sha256)], state, "vera", now)

    def waiting(self, now: float = NOW) -> dict[str, str]:
        with self.database.read() as connection:
            return {row["device"]: row["state"] for row in enrolment_requests.requests(connection, now)}


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[EnrolmentHarness]:
    made = EnrolmentHarness(tmp_path)
    yield made
    made.database.close()


def test_a_token_lets_one_device_in_once(harness: EnrolmentHarness) -> None:
    token = harness.token(site="lyon")
    answer = harness.enrol(token)
    certificate = x509.load_pem_x509_certificate(answer.certificate.encode())
    assert [part.value for part in certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)] == ["press-07"]
    authority = x509.load_pem_x509_certificate(answer.authority.encode())
    certificate.verify_directly_issued_by(authority)
    assert answer.labels == {"site": "lyon"}
    assert answer.expires_at == pytest.approx(NOW + 90 * 86_400, abs=2)
    with pytest.raises(InputError, match="used"):
        harness.enrol(token, "press-08")


def test_invalid_tokens_are_refused(harness: EnrolmentHarness) -> None:
    expired, named = harness.token(life_s=10.0), harness.token(device="press-09")
    revoked = harness.enrolment.create_token("", {}, 60.0, NOW)
    with harness.database.write() as connection:
        identities.revoke_token(connection, revoked["id"], NOW)
    texts = set()
    for token, now in ((expired, NOW + 10.0), (named, NOW), (revoked["token"], NOW), ("guess", NOW)):
        with pytest.raises(InputError) as caught:
            harness.enrol(token, now=now)
        texts.add(str(caught.value))
    assert len(texts) == 1, "who guesses learns nothing"
    with harness.database.write() as connection, pytest.raises(NotFoundError):
        identities.revoke_token(connection, revoked["id"], NOW)
    assert harness.enrol(named, "press-09").device == "press-09", "a refusal does not spend a token"


def test_a_token_for_several_devices(harness: EnrolmentHarness) -> None:
    made = harness.enrolment.create_token("", {"site": "lyon"}, 60.0, NOW, 2)
    assert harness.enrol(made["token"], "cam-1").labels == {"site": "lyon"}
    with pytest.raises(ConflictError, match="already enrolled"):
        harness.enrol(made["token"], "cam-1")
    harness.enrol(made["token"], "cam-2")
    with pytest.raises(InputError, match="used"):
        harness.enrol(made["token"], "cam-3")
    with harness.database.read() as connection:
        (row,) = identities.tokens(connection)
    assert (row["uses"], row["devices_max"], row["used_by"]) == (2, 2, "cam-2")
    with pytest.raises(InputError, match="enrolls one device"):
        harness.enrolment.create_token("cam-4", {}, 60.0, NOW, 2)


def test_a_device_waits_for_its_approval(harness: EnrolmentHarness) -> None:
    token = harness.enrolment.create_token("", {}, 60.0, NOW, 2, approval=True)["token"]
    own, other = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    first = harness.ask(token, "cam-1", key=own)
    assert isinstance(first, EnrolWaiting)
    assert harness.ask(token, "cam-1", key=own) == first, "it may ask as often as it likes"
    with pytest.raises(ConflictError, match="another device asks to be enrolled as 'cam-1'"):
        harness.ask(token, "cam-1", key=other)
    assert "another device asks" in harness.decide(RequestState.APPROVED, "cam-1", "0" * 64)["cam-1"]
    assert harness.decide(RequestState.APPROVED, "cam-9") == {"cam-9": "does not ask to be enrolled"}
    harness.ask(token, "cam-2")
    with pytest.raises(InputError, match="used"):
        harness.ask(token, "cam-3")
    assert harness.waiting() == {"cam-1": "waiting", "cam-2": "waiting"}
    assert harness.decide(RequestState.APPROVED, "cam-1", first.key_sha256) == {}
    with pytest.raises(ConflictError, match="another device asks"):
        harness.ask(token, "cam-1", key=other)
    assert isinstance(harness.ask(token, "cam-1", key=own), EnrolResponse)
    assert harness.waiting() == {"cam-2": "waiting"}
    with harness.database.read() as connection:
        assert identities.tokens(connection)[0]["uses"] == 1, "waiting does not use it"


def test_a_denied_device_may_be_approved_later(harness: EnrolmentHarness) -> None:
    token = harness.enrolment.create_token("", {}, 60.0, NOW, 1, approval=True)["token"]
    key = ec.generate_private_key(ec.SECP256R1())
    harness.ask(token, "cam-1", key=key)
    harness.decide(RequestState.DENIED, "cam-1")
    with pytest.raises(ConflictError, match="denied"):
        harness.ask(token, "cam-1", key=key)
    assert isinstance(harness.ask(token, "cam-2"), EnrolWaiting), "a denied one takes no other's place"
    harness.decide(RequestState.APPROVED, "cam-1")
    assert isinstance(harness.ask(token, "cam-1", key=key), EnrolResponse)


def test_requests_end_with_their_token(harness: EnrolmentHarness) -> None:
    made = harness.enrolment.create_token("", {}, 60.0, NOW, 5, approval=True)
    harness.ask(made["token"], "cam-1")
    assert harness.waiting(NOW + 61.0) == {}
    with harness.database.write() as connection:
        identities.revoke_token(connection, made["id"], NOW)
    assert harness.waiting() == {}
    assert "does not ask" in harness.decide(RequestState.APPROVED, "cam-1")["cam-1"]
    again = harness.enrolment.create_token("", {}, 60.0, NOW, 5, approval=True)
    assert isinstance(harness.ask(again["token"], "cam-1"), EnrolWaiting), "with another key: the old request is gone"


def test_secrets_are_not_stored(harness: EnrolmentHarness) -> None:
    token = harness.token()
    harness.enrol(token)
    for path in harness.folder.rglob("*"):
        assert path.is_dir() or token.encode() not in path.read_bytes()
    key = harness.folder / "authority" / "authority.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_an_existing_device_cannot_be_enrolled_by_another(harness: EnrolmentHarness) -> None:
    harness.enrol(harness.token())
    anybody = harness.token()
    with pytest.raises(ConflictError, match="already enrolled"):
        harness.enrol(anybody)
    assert harness.enrol(anybody, "press-08").device == "press-08", "the refusal did not spend it"
    harness.enrol(harness.token(device="press-07"))
    assert harness.revocations == [("press-07", 1)], "the certificate that was replaced counts no more"


def test_a_device_that_is_blocked_stays_out(harness: EnrolmentHarness) -> None:
    harness.enrol(harness.token())
    named = harness.token(device="press-07")
    standing = harness.enrolment.block("press-07", "stolen", NOW + 5)
    assert (standing["blocked"]["reason"], standing["certificate"]["revoked_at"]) == ("stolen", NOW + 5)
    assert harness.revocations == [("press-07", 1)]
    with pytest.raises(ConflictError, match=r"blocked; `edgefleet device unblock press-07` allows it to enroll again"):
        harness.token(device="press-07")
    with pytest.raises(ConflictError, match="blocked"):
        harness.enrol(named)
    with pytest.raises(ConflictError, match="blocked"):
        harness.enrolment.renew("press-07", request("press-07"), NOW)
    harness.enrolment.unblock("press-07")
    with pytest.raises(ConflictError, match="no certificate to renew"):
        harness.enrolment.renew("press-07", request("press-07"), NOW)
    harness.enrol(named)
    with pytest.raises(NotFoundError):
        harness.enrolment.unblock("press-07")


def test_renewal_leaves_the_old_certificate_to_its_end(harness: EnrolmentHarness) -> None:
    harness.enrol(harness.token())
    answer = harness.enrolment.renew("press-07", request("press-07"), NOW + 60 * 86_400)
    assert answer.expires_at == pytest.approx(NOW + 150 * 86_400, abs=2)
    with harness.database.read() as connection:
        assert len(identities.live_serials(connection, "press-07", NOW + 60 * 86_400)) == 2
        assert len(identities.live_serials(connection, "press-07", NOW + 91 * 86_400)) == 1
    with pytest.raises(InputError, match="not for"):
        harness.enrolment.renew("press-07", request("press-08"), NOW)


def test_a_device_that_renews_without_end(harness: EnrolmentHarness) -> None:
    harness.enrol(harness.token())
    for _ in range(identities.CERTIFICATES_MAX - 1):
        harness.enrolment.renew("press-07", request("press-07"), NOW)
    with pytest.raises(ConflictError, match="certificates, the maximum"):
        harness.enrolment.renew("press-07", request("press-07"), NOW)
    later = NOW + 89 * 86_400
    with pytest.raises(ConflictError):
        harness.enrolment.renew("press-07", request("press-07"), later)
    harness.enrol(harness.token(device="press-07", life_s=1e8), now=later)


@pytest.mark.parametrize(
    ("text", "device", "why"),
    [
        ("", "press-07", "not a certificate request"),
        (
            "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n",
            "press-07",
            "not a certificate request",
        ),
        ("x" * 20_000, "press-07", "exceeds"),
        (request("press-08"), "press-07", "not for"),
        (request("press-07", ec.generate_private_key(ec.SECP192R1())), "press-07", "elliptic-curve key of 256"),
        (request("press-07", rsa.generate_private_key(65537, 2048)), "press-07", "elliptic-curve"),
        (request("Press/+"), "Press/+", "device id"),
    ],
)
def test_requests_that_are_not_signed(harness: EnrolmentHarness, text: str, device: str, why: str) -> None:
    token = harness.token()
    with pytest.raises(InputError, match=why):
        harness.enrolment.enrol(EnrolRequest(token=token, device=device, request=text), "", ROOT, NOW)


def test_a_damaged_authority_is_reported(harness: EnrolmentHarness) -> None:
    (harness.folder / "authority" / "authority.key").write_text("nonsense")
    with pytest.raises(StoreError, match="restore the folder"):
        Authorities(harness.folder / "authority").open(NOW)


@pytest.mark.parametrize("name", ["edgefleet-server", "edgefleet-leader", "edgefleet-x"])
def test_names_of_the_servers_own_clients_are_refused(harness: EnrolmentHarness, name: str) -> None:
    """A broker ends the session of a client when another one with its name connects."""
    token = harness.token()
    with pytest.raises(InputError, match="for the server itself"):
        harness.token(name)
    with pytest.raises(InputError, match="for the server itself"):
        harness.enrol(token, name)
    harness.enrol(token, "press-07")


def report(harness: EnrolmentHarness, device: str, authorities: list[str], at: float) -> None:
    """A device that was seen at this time, and has reported that it trusts these authorities."""
    with harness.database.write() as connection:
        db = raw(connection)
        ingest.add_device(db, device, at)
        ingest.set_report(db, device, ("boot", 1, 0, "{}", 0, ingest.encode(authorities), "[]", 0), [])


def test_a_rotation_waits_for_the_devices_that_are_there(harness: EnrolmentHarness) -> None:
    day_s = 86_400.0
    enrolment = harness.enrolment
    names = ("here-1", "here-2", "away-40-days", "never")
    for device in names:
        harness.enrol(harness.token(device), device)
    steps: list[int] = []
    enrolment.rotated = lambda: steps.append(len(enrolment.authorities()))
    (old,) = enrolment.authorities()
    harness.token("late-1", life_s=day_s)
    enrolment.rotate(NOW + 1)
    new = enrolment.authorities()[-1]
    assert enrolment.pin() == new
    certificate = enrolment.renew("here-1", request("here-1"), NOW + 2)
    assert fingerprints(certificate.authorities) == fingerprints(certificate.broker_authority) == [old, new]
    for device, held, days in (("here-1", [old, new], 0), ("here-2", [old], 1), ("away-40-days", [], 40)):
        report(harness, device, held, NOW - days * day_s)

    found = enrolment.rotation(30 * day_s, NOW + 3)
    counts = ("devices", "renewed", "missing", "missing_online", "open_tokens")
    assert [found[name] for name in counts] == [4, 1, 3, 1, 1]
    assert [row["device"] for row in found["items"]] == ["here-2", "away-40-days", "never"]
    with pytest.raises(ConflictError, match=r"1 devices were online within 30 days .*\(here-2\).*finish --leave 1"):
        enrolment.finish_rotation(30 * day_s, 0, NOW + 3)
    with pytest.raises(ConflictError, match=r"2 devices were online within 60 days"):
        enrolment.finish_rotation(60 * day_s, 1, NOW + 3)
    assert enrolment.rotating_since == NOW + 1
    assert enrolment.finish_rotation(30 * day_s, 1, NOW + 3) == 1
    assert enrolment.authorities() == [new]
    assert steps == [2, 1]
    found = enrolment.rotation(30 * day_s, NOW + 4)
    assert (found["rotating_since"], found["renewed"], found["open_tokens"]) == (None, 1, 0)
    with pytest.raises(ConflictError, match="edgefleet ca rotate"):
        enrolment.finish_rotation(30 * day_s, 0, NOW + 5)
    back = harness.enrol(harness.token("here-2"), "here-2", NOW + 6)  # the way back of a device that was left behind
    assert fingerprints(back.authority) == [new]


def test_a_broker_of_others_has_to_know_the_authority_first(harness: EnrolmentHarness) -> None:
    harness.enrolment.needs_staged = True
    with pytest.raises(ConflictError, match="edgefleet ca import"):
        harness.enrolment.rotate(NOW)
    stage(harness.folder / "authority", None, NOW)
    harness.enrolment.rotate(NOW)
    assert len(harness.enrolment.authorities()) == 2


def test_the_offer_changes_with_the_authorities_alone(harness: EnrolmentHarness) -> None:
    enrolment = harness.enrolment
    first = enrolment.offer(NOW)
    assert enrolment.offer(NOW + 1) is first
    enrolment.rotate(NOW)
    second = enrolment.offer(NOW)
    assert second.authorities == [*first.authorities, enrolment.pin()]
    assert enrolment.offer(NOW + 1) is second
