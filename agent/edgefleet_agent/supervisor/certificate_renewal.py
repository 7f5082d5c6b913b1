"""Asks for a new certificate when two thirds of the old one's life are over, or when the server has other authorities than this
device trusts, and puts it in the old one's place, with the authorities that come with it."""

from __future__ import annotations

import logging
import random
import subprocess
import tempfile
from pathlib import Path
from typing import IO

from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.machine.identity import (
    FILE_BYTES_MAX,
    Identity,
    pack_credentials,
    read_identity,
    replace_authorities,
    replace_credentials,
)
from edgefleet_agent.machine.server_authority import replace_stored
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.enrolment import AuthorityOffer, Certificate, RenewRequest

SHARE = 2.0 / 3.0
RETRY_SHARE = 1.0 / 100.0
RETRY_S_MAX = 3600.0
RETRY_S_MIN = 2.0
ROTATION_RETRY_S = 30.0
REQUEST_BYTES_MAX = 16 * 1024

log = logging.getLogger(__name__)


class CertificateRenewal:
    """`command` makes key and request (`edgefleet-agent certificate`). None of an identity: nothing to renew.

    A key of its own for each certificate: one that leaked is worth nothing after the next renewal. `now` is monotonic seconds.
    """

    def __init__(self, command: list[str], state: Path, identity: Identity | None) -> None:
        self._command = command
        self._state = state
        self.identity = identity
        self._child: tuple[subprocess.Popen[bytes], IO[bytes]] | None = None
        self._not_before_s = 0.0
        self._offered: frozenset[str] = frozenset()
        self._rotation_s, self._rotation_wait_s = 0.0, ROTATION_RETRY_S

    @property
    def expires_at(self) -> float:
        """Wall time at which the broker lets this device in no more; 0 where it has no certificate."""
        return self.identity.expires_at if self.identity else 0.0

    @property
    def authorities(self) -> list[str]:
        """Fingerprints of the server's authorities that this device trusts."""
        return list(self.identity.authorities) if self.identity else []

    def offered(self, offer: AuthorityOffer, now: float) -> None:
        """Follow the server's authorities, which may be others than at the last renewal."""
        if frozenset(offer.authorities) != self._offered:
            self._offered, self._rotation_wait_s = frozenset(offer.authorities), ROTATION_RETRY_S
            self._rotation_s = now + random.uniform(0.0, offer.spread_s)  # noqa: S311 (no secret: it spreads the fleet)

    def turn(self, uplink: Uplink, device: str, now: float, wall: float) -> None:
        """Ask, when it is time and there is a line."""
        identity = self.identity
        if identity is None:
            return
        if self._child is not None:
            self._send(uplink, device)
            return
        life_s = identity.expires_at - identity.issued_at
        rotated = bool(self._offered) and self._offered != frozenset(identity.authorities)
        due_s = self._rotation_s if rotated else self._not_before_s
        if not (rotated or wall >= identity.issued_at + SHARE * life_s) or now < due_s or not uplink.connected:
            return
        self._rotation_s = now + self._rotation_wait_s
        self._rotation_wait_s = min(2.0 * self._rotation_wait_s, RETRY_S_MAX)
        self._not_before_s = now + max(RETRY_S_MIN, min(RETRY_S_MAX, RETRY_SHARE * life_s))
        output = tempfile.TemporaryFile()  # noqa: SIM115 (closed in `_send`)
        self._child = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=output), output

    def granted(self, answer: Certificate) -> None:
        """Keep what the server signed; it is used from the next connection on.

        Raises:
            StoreError: the disk cannot keep it.
        """
        key_file = self._state / "identity" / "next.key"
        key = read_if_there(key_file, FILE_BYTES_MAX)
        if self.identity is None or key is None:
            return
        credentials = pack_credentials(key.decode(), answer.certificate, answer.issued_at, answer.expires_at)
        try:
            if answer.authorities:
                # First what HTTPS trusts, which names no version: cut off in between, the device renews once more.
                replace_stored(self._state, self.identity.authorities, answer.authorities)
                replace_authorities(self._state, answer.authorities, answer.broker_authority, credentials)
            else:
                replace_credentials(self._state, credentials)
        except InputError as error:
            log.error("certificate not renewed: %s", error)
            return
        key_file.unlink(missing_ok=True)
        self.identity = read_identity(self._state)
        log.info("certificate renewed")

    def stop(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._child[0].kill()
            self._child[0].wait()
            self._child[1].close()
            self._child = None

    def _send(self, uplink: Uplink, device: str) -> None:
        assert self._child is not None
        process, output = self._child
        code = process.poll()
        if code is None:
            return
        output.seek(0)
        request = output.read(REQUEST_BYTES_MAX).decode(errors="replace")
        output.close()
        self._child = None
        if code == 0:
            uplink.line.publish(Outgoing(topics.renew(device), encode(RenewRequest(request=request))))
        else:
            log.error("cannot create a certificate request (exit code %d); retrying later", code)
