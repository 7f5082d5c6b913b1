"""Enrolment of devices: tokens, certificates, renewal, blocking. The broker enforces these decisions."""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
import uuid
from collections.abc import Callable
from typing import Any, Final

from edgefleet_contract.core.pinned_authority import fingerprints
from edgefleet_contract.wire.enrolment import AuthorityOffer, Certificate, EnrolRequest, EnrolResponse, EnrolWaiting
from edgefleet_server.core.errors import ConflictError, InputError
from edgefleet_server.db.backend.engine import Connection, Database
from edgefleet_server.db.devices import certificates, device_labels, enrolment_requests, identities
from edgefleet_server.db.devices.enrolment_requests import RequestState
from edgefleet_server.registry.identity.authorities import Authorities
from edgefleet_server.registry.identity.certificate_authority import Issued, key_fingerprint

SECRET_BYTES: Final = 24
TOKEN_S_MAX: Final = 366 * 86_400.0
OWN_PREFIX: Final = "edgefleet-"
"""Beginning of the names of the server's own clients. A device with such a name would end their sessions at the broker."""

RENEWALS_PER_S: Final = 50.0
"""Rate at which a fleet renews in a rotation."""
SPREAD_S_MAX: Final = 3600.0
NAMED: Final = 5
MISSING_MAX: Final = 1000

log = logging.getLogger(__name__)


class Enrolment:
    """Issues and revokes identities of devices. `apply_revocation(revoked, device)` applies a new revocation list and ends the
    device's session; `rotated` is called after each step of a rotation of the authority. `broker_authority` (PEM): by it devices
    verify the broker's certificate; empty = the server's own. `days`: validity of new certificates, which may be changed.
    Thread-safe; times are wall time."""

    def __init__(self, database: Database, authority: Authorities, days: float) -> None:
        self._database = database
        self._authority = authority
        self.days = days
        self._lock = threading.Lock()
        self.apply_revocation: Callable[[bytes, str], None] = lambda _revoked, _device: None
        self.needs_staged = False
        """Whether the operator of the broker has to give it a new authority."""
        self.rotated: Callable[[], None] = lambda: None
        self.broker_authority = ""
        self._offer = AuthorityOffer(authorities=[])

    def authority_facts(self) -> dict[str, Any]:
        """The facts about the authority's certificate (`CertificateAuthority.facts`)."""
        return self._authority.facts()

    def pin(self) -> str:
        """The fingerprint of the authority by which devices know the server at their enrolment."""
        return self._authority.pin()

    @property
    def rotating_since(self) -> float | None:
        """Wall time since which two authorities are in use; None: it is one."""
        return self._authority.rotating_since

    def authorities(self) -> list[str]:
        """Fingerprints of the authorities that devices should trust, the newest last."""
        return fingerprints(self._authority.bundle)

    def rotation(self, online_s: float, now: float) -> dict[str, Any]:
        """The state of a rotation: `rotating_since`, `authorities` (facts, the newest last), numbers of devices, `items` of those
        that have not renewed, and `open_tokens` that name the old authority."""
        since = self.rotating_since
        with self._database.read() as connection:
            held = certificates.holders(connection, self.authorities()[-1], now)
            tokens = identities.tokens(connection, now) if since is not None else []
        missing = [each for each in held if not each.renewed]
        return {
            "rotating_since": since,
            "authorities": [each.facts() for each in self._authority.all],
            "devices": len(held),
            "renewed": len(held) - len(missing),
            "missing": len(missing),
            "missing_online": sum(each.last_seen_at >= now - online_s for each in missing),
            "open_tokens": sum(token["created_at"] < since for token in tokens) if since is not None else 0,
            "items": [each._asdict() for each in missing[:MISSING_MAX]],
        }

    def offer(self, now: float) -> AuthorityOffer:
        """The authorities that devices should trust: the same object until they change."""
        authorities = self.authorities()
        if authorities != self._offer.authorities:
            with self._database.read() as connection:
                devices = certificates.counts(connection, now)["total"]
            self._offer = AuthorityOffer(authorities=authorities, spread_s=min(SPREAD_S_MAX, devices / RENEWALS_PER_S))
        return self._offer

    def rotate(self, now: float) -> None:
        """Begin a rotation of the authority (`Authorities.begin`).

        Raises:
            ConflictError: one is going on, or the broker is not the server's and no authority is staged.
        """
        with self._lock:
            if self.needs_staged and not self._authority.is_staged:
                raise ConflictError(
                    "the broker has to know the new authority first: `edgefleet ca import` makes it, then give the broker"
                    " authority/trusted.pem of the data folder as the authorities of its clients"
                )
            self._authority.begin(now)
        self.rotated()
        log.warning("a new certificate authority: devices renew their certificates now")

    def finish_rotation(self, online_s: float, leave: int, now: float) -> int:
        """End the rotation: the old authority is trusted no more. Returns the number of devices that are left behind; these have
        to enrol again.

        Raises:
            ConflictError: no rotation is going on; or devices that were online within `online_s` have not renewed, and `leave` is
                not their number.
        """
        with self._lock:
            with self._database.read() as connection:
                held = certificates.holders(connection, self.authorities()[-1], now)
            missing = [each for each in held if not each.renewed and each.last_seen_at >= now - online_s]
            if self.rotating_since is not None and len(missing) != leave:
                names = ", ".join(each.device for each in missing[:NAMED])
                raise ConflictError(
                    f"{len(missing)} devices were online within {online_s / 86_400:g} days and have not renewed"
                    f" ({names}{', …' if len(missing) > NAMED else ''}): wait for them, or leave them behind with"
                    f" `edgefleet ca finish --leave {len(missing)}`; each then has to be enrolled again"
                )
            self._authority.finish()
        self.rotated()
        log.warning("the old certificate authority is trusted no more; devices left behind: %d", len(missing))
        return len(missing)

    def create_token(
        self, device: str, labels: dict[str, str], life_s: float, now: float, devices_max: int = 1, *, approval: bool = False
    ) -> dict[str, Any]:
        """Create a token (`new_token`)."""
        with self._database.write() as connection:
            return new_token(connection, device, labels, life_s, now, devices_max, approval=approval)

    def enrol(self, request: EnrolRequest, broker_url: str, trust_root: bytes, now: float) -> EnrolResponse | EnrolWaiting:
        """Use a token and issue a certificate; older certificates of the same device are revoked. With a token that requires an
        approval, the device is recorded until a user approves it.

        Raises:
            InputError: the token is not valid for this device, its name is kept for the server's own clients, or the certificate
                request is invalid.
            ConflictError: the device is blocked or was denied, is enrolled already and the token does not name it, or another
                one waits under its name.
        """
        _check_name(request.device)
        with self._lock:
            key_sha256 = key_fingerprint(request.request, request.device)
            with self._database.write() as connection:
                _check_unblocked(identities.blocked(connection, request.device), request.device)
                token = identities.token_for(connection, _digest(request.token), request.device, now)
                if token.approval:
                    decision = enrolment_requests.ask(connection, token, request.device, key_sha256, now)
                    if decision is RequestState.WAITING:
                        return EnrolWaiting(key_sha256=key_sha256)
                    if decision is RequestState.DENIED:
                        raise ConflictError(f"a user of the fleet server denied the enrollment of {request.device!r}")
                    enrolment_requests.end(connection, request.device)
                identities.use_token(connection, token.id, request.device, now)
                issued = self._authority.issue(request.request, request.device, self.days, now)
                replaced = identities.revoke_certificates(connection, request.device, now)
                identities.add_certificate(connection, _record(request.device, issued))
                device_labels.enrol(connection, request.device, token.labels)
            if replaced:
                self.apply_revocation(self.revoked(now), request.device)
        log.info("device %s enrolled, certificate %s", request.device, issued.serial)
        return EnrolResponse(
            device=request.device,
            certificate=issued.certificate,
            authority=self.broker_authority or self._authority.bundle,
            broker_url=broker_url,
            trust_root=trust_root.decode(),
            issued_at=issued.issued_at,
            expires_at=issued.expires_at,
            labels=token.labels,
        )

    def renew(self, device: str, request: str, now: float) -> Certificate:
        """Issue a certificate for a new key of a device that the broker has authenticated.

        The old one stays valid until its expiry, because the response may be lost.

        Raises:
            InputError: the certificate request is invalid, or for another device.
            ConflictError: the device is blocked, or was never enrolled.
        """
        with self._lock:
            issued = self._authority.issue(request, device, self.days, now)
            with self._database.write() as connection:
                _check_unblocked(identities.blocked(connection, device), device)
                if not identities.certified(connection, [device], now):
                    raise ConflictError(f"device {device!r} has no certificate to renew; enroll it")
                identities.add_certificate(connection, _record(device, issued))
        log.info("device %s renewed its certificate: %s", device, issued.serial)
        bundle = self._authority.bundle
        return Certificate(
            certificate=issued.certificate,
            issued_at=issued.issued_at,
            expires_at=issued.expires_at,
            authorities=bundle,
            broker_authority=self.broker_authority or bundle,
        )

    def block(self, device: str, reason: str, now: float) -> dict[str, Any]:
        """Remove the identity of the device: its certificates are revoked, its session ends, no token enrols it."""
        with self._lock:
            with self._database.write() as connection:
                identities.block(connection, device, reason, now)
                identities.revoke_certificates(connection, device, now)
                standing = identities.status_of(connection, device)
            self.apply_revocation(self.revoked(now), device)
        log.warning("device %s is blocked", device)
        return standing

    def retire(self, device: str, now: float) -> None:
        """Revoke the certificates of a device and end its session; it can enrol again with a new token."""
        with self._lock:
            with self._database.write() as connection:
                identities.revoke_certificates(connection, device, now)
            self.apply_revocation(self.revoked(now), device)

    def unblock(self, device: str) -> dict[str, Any]:
        """Allow the device to enrol again, with a new token; its old certificates stay revoked.

        Raises:
            NotFoundError: it is not blocked.
        """
        with self._database.write() as connection:
            identities.unblock(connection, device)
            return identities.status_of(connection, device)

    def revoked(self, now: float) -> bytes:
        """The revocation list, PEM."""
        with self._database.read() as connection:
            found = identities.revoked(connection, now)
        return self._authority.revocation_list(found, int(now * 1000), now)


def new_token(
    connection: Connection,
    device: str,
    labels: dict[str, str],
    life_s: float,
    now: float,
    devices_max: int = 1,
    *,
    approval: bool = False,
) -> dict[str, Any]:
    """Store a token for one device, or with `device` empty for the first `devices_max` that present it. approval: a user approves
    each one. The secret is only in the returned value.

    Raises:
        InputError: the name is kept for the server's own clients, the token is for several devices of one name, or a label is
            refused.
        ConflictError: the device is blocked and could not enrol with a token, or too many tokens are open.
    """
    if device and devices_max > 1:
        raise InputError(f"a token for device {device!r} enrolls one device; omit its name, or the number of devices")
    _check_name(device)
    device_labels.check(labels)
    secret = f"t{secrets.token_urlsafe(SECRET_BYTES)}"  # never begins with a dash: users pass it as `--token SECRET`
    record = {
        "id": uuid.uuid4().hex[:12],
        "secret_sha256": _digest(secret),
        "device": device,
        "labels": labels,
        "created_at": now,
        "expires_at": now + min(life_s, TOKEN_S_MAX),
        "used_at": None,
        "used_by": "",
        "revoked_at": None,
        "devices_max": devices_max,
        "uses": 0,
        "approval": approval,
    }
    if device:
        _check_unblocked(identities.blocked(connection, device), device)
    identities.add_token(connection, record, now)
    return {"token": secret, **{key: value for key, value in record.items() if key != "secret_sha256"}}


def _check_name(device: str) -> None:
    if device.startswith(OWN_PREFIX):
        raise InputError(f"device {device!r}: names with {OWN_PREFIX!r} are for the server itself; use another name")


def _check_unblocked(blocked: dict[str, Any] | None, device: str) -> None:
    if blocked is not None:
        raise ConflictError(f"device {device!r} is blocked; `edgefleet device unblock {device}` allows it to enroll again")


def _record(device: str, issued: Issued) -> dict[str, Any]:
    times = {"issued_at": issued.issued_at, "expires_at": issued.expires_at, "revoked_at": None}
    return {"serial": issued.serial, "device": device, **times}


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
