"""Authentication of callers by API keys and client certificates, their permissions, and rate limits.

Loopback addresses and socket files need no authentication: the machine itself restricts access. An address that other machines
can reach opens only with API keys or client certificates, or with the explicit option for an open server. Without a key only
callers of this machine manage models. Web pages of other origins are refused everywhere (`HostCheck`).
"""

from __future__ import annotations

import collections
import hashlib
import math
import ssl
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.core.host_check import HostCheck, is_loopback, same_origin
from edgefleet_agent.serving.frontend.api_keys import Key, Level
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.fault_text import fault_text

BUCKETS_MAX = 10_000
"""Callers with a rate limit bucket; the least recently seen one is dropped first, and starts with a full bucket again."""
BURST_S = 2.0
"""Size of a burst, in seconds of the rate."""
OPEN_PATHS = (
    b"/v2/health/",
    b"/docs",
    b"/openapi.json",
    b"/inference.GRPCInferenceService/ServerLive",
    b"/inference.GRPCInferenceService/ServerReady",
    b"/grpc.health.v1.Health/",
)
"""Paths that need no key: health checks, which load balancers call, and the description of the API."""


SAFE_METHODS = (b"GET", b"HEAD", b"OPTIONS")


@dataclass(frozen=True, slots=True)
class Tls:
    """Files in PEM form. client_ca: callers need a certificate of this authority; None: they need none."""

    cert: Path
    key: Path
    client_ca: Path | None = None

    def context(self, protocol: str) -> ssl.SSLContext:
        """The TLS context of a listener for `protocol` (ALPN: `http/1.1`, `h2`).

        Raises:
            InputError: one of the files is not there or not what it should be.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols([protocol])
        try:
            context.load_cert_chain(self.cert, self.key)
        except (OSError, ssl.SSLError) as cause:
            raise InputError(f"{self.cert}, {self.key}: not a certificate and its key ({_reason(cause)})") from cause
        if self.client_ca is not None:
            try:
                context.load_verify_locations(self.client_ca)
            except (OSError, ssl.SSLError) as cause:
                raise InputError(f"{self.client_ca}: no certificates of an authority ({_reason(cause)})") from cause
            context.verify_mode = ssl.CERT_REQUIRED
        return context

    def names(self) -> list[str]:
        """The host names of the server certificate, without wildcards.

        Raises:
            InputError: not a certificate.
        """
        from cryptography import x509

        try:
            certificate = x509.load_pem_x509_certificate(self.cert.read_bytes())
            names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return []
        except (OSError, ValueError) as cause:
            raise InputError(f"{self.cert}: not a certificate ({fault_text(cause)})") from cause
        return names.get_values_for_type(x509.DNSName)


@dataclass(slots=True)
class Authentication:
    """The rules of one server, used by its loops. keys: by SHA-256 digest. rate_per_s: requests of each key, or of each address
    without keys; 0 for no limit. allow_unauthenticated: an address that others can reach may open without keys. allowed_hosts:
    further names by which callers may know this server.
    """

    keys: Mapping[bytes, Key] = field(default_factory=dict)
    tls: Tls | None = None
    rate_per_s: float = 0.0
    allow_unauthenticated: bool = False
    allowed_hosts: Sequence[str] = ()
    _buckets: collections.OrderedDict[str, tuple[float, float]] = field(default_factory=collections.OrderedDict, repr=False)

    @property
    def idle(self) -> bool:
        """Whether every request is admitted without a check."""
        return not self.keys and not self.rate_per_s

    def check_address(self, address: str) -> None:
        """Check that a listener may open at this address.

        Raises:
            InputError: it is no address; or other machines can reach it, and nothing authenticates them.
        """
        _, colon, port = address.rpartition(":")
        if not address.startswith("unix:") and not (colon and port.isdecimal() and int(port) < 65536):
            raise InputError(f"{address!r}: must be HOST:PORT or unix:PATH")
        if (
            is_local(address)
            or self.keys
            or self.allow_unauthenticated
            or (self.tls is not None and self.tls.client_ca is not None)
        ):
            return
        raise InputError(
            f"{address} is reachable from other machines: specify --api-keys, --tls-client-ca or --allow-unauthenticated"
        )

    def admit(self, path: bytes, headers: Mapping[bytes, bytes], peer: str) -> CallError | None:
        """The error of a request that is refused; None if it is admitted."""
        caller = peer
        if self.keys:
            if path.startswith(OPEN_PATHS):
                return None
            key = self._key(headers)
            if key is None:
                return CallError(Code.UNAUTHENTICATED, "API key required: Authorization: Bearer KEY, or X-API-Key: KEY")
            caller = f"key:{key.name}"
        return self._take_token(caller, time.monotonic()) if self.rate_per_s else None

    def host_check(self) -> HostCheck:
        """The check of `Host` and `Origin` of a listener at an address of the network.

        Raises:
            InputError: the certificate cannot be read.
        """
        return HostCheck([*self.allowed_hosts, *(self.tls.names() if self.tls is not None else ())])

    def check_level(self, level: Level, headers: Mapping[bytes, bytes], peer: str) -> None:
        """Check that a caller at the address `peer` (empty: a Unix socket) has a level: by its key, or because it is a program of
        this machine where there are no keys.

        Raises:
            CallError: it has not.
        """
        key = self._key(headers)
        if key.level >= level if key is not None else not self.keys and (not peer or is_loopback(peer)):
            return
        what = "models can be uploaded" if level is Level.ADMIN else "models and settings can be changed"
        kinds = " or ".join(f"'{each.name.lower()}'" for each in Level if each >= level)
        raise CallError(Code.FORBIDDEN, f"{what} only from this machine or with a key marked {kinds}")

    def _key(self, headers: Mapping[bytes, bytes]) -> Key | None:
        return self.keys.get(hashlib.sha256(_presented_key(headers)).digest())

    def _take_token(self, caller: str, now_s: float) -> CallError | None:
        most = max(1.0, self.rate_per_s * BURST_S)
        left, since_s = self._buckets.pop(caller, (most, now_s))
        left = min(most, left + (now_s - since_s) * self.rate_per_s)
        allowed = left >= 1.0
        self._buckets[caller] = left - allowed, now_s
        if len(self._buckets) > BUCKETS_MAX:
            self._buckets.popitem(last=False)
        if allowed:
            return None
        return CallError(
            Code.TOO_MANY,
            f"more than {self.rate_per_s:g} requests per second; try again later",
            math.ceil((1.0 - left) / self.rate_per_s),
        )


def is_local(address: str) -> bool:
    """Whether only this machine can reach an address."""
    if address.startswith("unix:"):
        return True
    return is_loopback(address.rpartition(":")[0].strip("[]"))


def check_page(check: HostCheck, method: bytes, path: bytes, headers: Mapping[bytes, bytes]) -> None:
    """Check that no web page of another origin sends a request of HTTP. Health reveals nothing and is answered always; the
    responses of other safe methods are hidden by the browser if `Origin` is another, not if `Host` is.

    Raises:
        CallError: one might.
    """
    if path.startswith(OPEN_PATHS) or b"host" not in headers:  # a browser sends Host, a caller of HTTP/1.0 need not
        return
    host = headers[b"host"].decode("latin-1")
    if not check.accepts(host):
        known = "an address, localhost or the machine's name"
        raise CallError(
            Code.FORBIDDEN, f"host {host[:100]!r} is not allowed; use {known}, or start the server with --allowed-host"
        )
    origin = headers.get(b"origin")
    if origin is not None and method not in SAFE_METHODS and not same_origin(origin.decode("latin-1"), host):
        raise CallError(Code.FORBIDDEN, "cross-origin request rejected; send it from a page of this server, or from a program")


def _presented_key(headers: Mapping[bytes, bytes]) -> bytes:
    given = headers.get(b"authorization", b"")
    if given[:7].lower() == b"bearer ":
        return given[7:].strip()
    return headers.get(b"x-api-key", b"")


def _reason(cause: OSError) -> str:
    return cause.strerror or str(cause)
