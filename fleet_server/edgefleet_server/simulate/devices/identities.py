"""Identities of virtual devices: each enrolls over HTTPS with the common token, as a real device does, and connects with its
certificate. Key and certificate are in a folder, so that the same fleet can be simulated again."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import httpx
import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from edgefleet_contract.core.atomic_files import make_folder, read_if_there, write_atomic
from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.https_trust import certificate_fault
from edgefleet_contract.core.pinned_authority import fingerprints, pinned_context
from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.encoding.names import DeviceId
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_contract.wire.enrolment import (
    Certificate,
    EnrolRequest,
    EnrolResponse,
    EnrolWaiting,
    Fingerprints,
    Pem,
    PemBundle,
)
from edgefleet_server.core.errors import EdgefleetError, InputError, UnavailableError

SECRET: Final = 0o600
FILE_BYTES_MAX: Final = 64 * 1024
ANSWER_BYTES_MAX: Final = 1024 * 1024
AT_ONCE: Final = 4
WAITING, TOO_MANY, REFUSED = 202, 429, 400
TIMEOUT_S: Final = 30.0


class _Stored(Wire):
    """The identity of one device: the file `DEVICE.json` in the folder, readable by its owner only."""

    device: DeviceId
    broker_url: str
    authority: PemBundle
    key: Pem
    certificate: Pem
    authorities: Fingerprints = msgspec.field(default_factory=list)


class SimulatedIdentities:
    """The identities in `folder`. server: URL of the fleet server; trust: how its certificate is verified. on_progress: called
    with the number of devices that are enrolled, and of those that wait for approval.

    Raises:
        StoreError: the folder cannot be written.
    """

    def __init__(
        self, folder: Path, server: str, trust: ssl.SSLContext, token: str, on_progress: Callable[[int, int], None]
    ) -> None:
        make_folder(folder, 0o700)
        self._folder = folder
        self._server = server.rstrip("/")
        self._trust = trust
        self._token = token
        self._on_progress = on_progress
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._authorities: dict[str, list[str]] = {}
        self._requests: dict[str, tuple[str, bytes]] = {}
        self._retry_s = 1.0
        self.broker = BrokerAddress("", 0)

    def close(self) -> None:
        """Make `enrol` end soon."""
        self._closing.set()

    def context(self, device: str) -> ssl.SSLContext:
        """The TLS context with which this device connects to the broker."""
        return self._contexts[device]

    def authorities(self, device: str) -> list[str]:
        """Fingerprints of the server's authorities that this device trusts."""
        return self._authorities[device]

    def new_request(self, device: str) -> str:
        """A certificate request with a new key, PEM."""
        self._requests[device] = _new_request(device)
        return self._requests[device][1].decode()

    def granted(self, device: str, answer: Certificate) -> None:
        """Keep the certificate for the last request, with the authorities that come with it.

        Raises:
            InputError: it is not for that request. StoreError: the folder cannot be written.
        """
        stored, request = self._read(device), self._requests.get(device)
        if stored is None or request is None:
            return
        renewed = msgspec.structs.replace(
            stored,
            key=request[0],
            certificate=answer.certificate,
            authority=answer.broker_authority or stored.authority,
            authorities=fingerprints(answer.authorities),
        )
        context = self._context(renewed)
        write_atomic(self._folder / f"{device}.json", encode(renewed), SECRET)
        self._use(renewed, context)

    def enrol(self, devices: Sequence[str]) -> None:
        """Read the identities of these devices, and enroll those that have none.

        Raises:
            InputError: the server refuses one. UnavailableError: it does not answer, or this was closed.
        """
        left = list(devices)
        with httpx.Client(verify=self._trust, timeout=TIMEOUT_S) as client, ThreadPoolExecutor(AT_ONCE) as pool:
            while True:
                done = list(pool.map(lambda device: self._has_identity(client, device), left))
                left = [device for device, has in zip(left, done, strict=True) if not has]
                self._on_progress(len(self._contexts), len(left))
                if not left:
                    return
                if self._closing.wait(self._retry_s):
                    raise UnavailableError("ended before all devices were enrolled; the same command goes on with it")

    def _has_identity(self, client: httpx.Client, device: str) -> bool:
        """Whether the device can connect; False while it waits for approval."""
        if self._closing.is_set():
            return False
        stored = self._read(device) or self._ask(client, device)
        if stored is None:
            return False
        self._use(stored, self._context(stored))
        self.broker = BrokerAddress.parse(stored.broker_url)
        self._on_progress(len(self._contexts), 0)
        return True

    def _use(self, stored: _Stored, context: ssl.SSLContext) -> None:
        with self._lock:
            self._contexts[stored.device] = context
            self._authorities[stored.device] = list(stored.authorities) or fingerprints(stored.authority)

    def _context(self, stored: _Stored) -> ssl.SSLContext:
        device = stored.device
        context = pinned_context(stored.authority)
        file = self._folder / f".{device}.pem"  # the ssl module reads keys from files only
        write_atomic(file, (stored.key + stored.certificate).encode(), SECRET)
        try:
            context.load_cert_chain(file)
        except ssl.SSLError as error:
            raise InputError(f"{self._folder / device}.json is damaged ({fault_text(error)}); delete it") from error
        finally:
            file.unlink(missing_ok=True)
        return context

    def _read(self, device: str) -> _Stored | None:
        content = read_if_there(self._folder / f"{device}.json", FILE_BYTES_MAX)
        if content is None:
            return None
        try:
            return decode(content, _Stored, bytes_max=FILE_BYTES_MAX)
        except MessageError as error:
            raise InputError(f"{self._folder / device}.json is damaged ({error}); delete it") from error

    def _ask(self, client: httpx.Client, device: str) -> _Stored | None:
        """Ask for a certificate, and store it; None while the device waits for approval."""
        if not self._token:
            raise InputError(f"device {device!r} has no identity in {self._folder}; specify --token-file")
        private, request = self._requests.setdefault(device, _new_request(device))
        answer = self._post(client, encode(EnrolRequest(token=self._token, device=device, request=request.decode())))
        try:
            if answer.status_code == TOO_MANY:
                self._retry_s = float(answer.headers.get("retry-after", 1.0))
                return None
            if answer.status_code == WAITING:
                self._retry_s = decode(answer.content, EnrolWaiting).retry_s
                return None
            if answer.status_code >= REFUSED:
                raise InputError(f"the server rejected the enrollment of {device!r}: {_detail(answer)}")
            made = decode(answer.content, EnrolResponse, bytes_max=ANSWER_BYTES_MAX)
        except (MessageError, ValueError) as error:
            if isinstance(error, EdgefleetError) and not isinstance(error, MessageError):
                raise
            raise InputError(f"{self._server} is not a fleet server ({error}); check --server") from error
        stored = _Stored(
            device=device, broker_url=made.broker_url, authority=made.authority, key=private, certificate=made.certificate
        )
        write_atomic(self._folder / f"{device}.json", encode(stored), SECRET)
        return stored

    def _post(self, client: httpx.Client, body: bytes) -> httpx.Response:
        try:
            return client.post(f"{self._server}/api/v1/enrol", content=body, headers={"Content-Type": "application/json"})
        except (httpx.TransportError, ssl.SSLError) as error:
            why = certificate_fault(error, "--ca-sha256 HEX, --ca", "", self._trust) or fault_text(error)
            raise UnavailableError(f"no response from {self._server} ({why}); check --server") from error


def _new_request(device: str) -> tuple[str, bytes]:
    """Private key and certificate request, PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, device)])
    request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, hashes.SHA256())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(), request.public_bytes(Encoding.PEM)


def _detail(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["detail"])[:500]
    except (ValueError, KeyError, TypeError):
        return f"status {answer.status_code}"
