"""Authentication of callers by API keys and client certificates, and rate limits.

Loopback addresses and socket files need no authentication: the machine itself restricts access. An address that other machines
can reach opens only with API keys or client certificates, or with the explicit option for an open server.
"""

from __future__ import annotations

import collections
import hashlib
import ipaddress
import math
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import InputError

KEY_LENGTH_MIN = 16
KEYS_MAX = 10_000
FILE_BYTES_MAX = 4 * 1024 * 1024
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


@dataclass(frozen=True, slots=True)
class Key:
    """Owner of an API key. admin: the holder may upload models."""

    name: str
    admin: bool = False


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


@dataclass(slots=True)
class Authentication:
    """The rules of one server, used by its loops. keys: by SHA-256 digest. rate_per_s: requests of each key, or of each address
    without keys; 0 for no limit. allow_unauthenticated: an address that others can reach may open without keys.
    """

    keys: Mapping[bytes, Key] = field(default_factory=dict)
    tls: Tls | None = None
    rate_per_s: float = 0.0
    allow_unauthenticated: bool = False
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

    def check_upload(self, headers: Mapping[bytes, bytes], address: str) -> None:
        """Check that a caller at `address` may upload models: with an administrator's key, or from this machine if there are no
        keys. Native code parses a model and allocates without a limit.

        Raises:
            CallError: the caller may not.
        """
        key = self._key(headers)
        # A web page in a browser on this machine is not a local caller: the browser sends an Origin header.
        here = not self.keys and is_local(address) and b"origin" not in headers
        if key.admin if key is not None else here:
            return
        raise CallError(Code.FORBIDDEN, "models can be uploaded only from this machine or with a key marked 'admin'")

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


def read_keys(file: Path) -> dict[bytes, Key]:
    """Read a file of keys: one `NAME KEY` a line, or `NAME sha256:HEX` to store a digest only; followed by `admin` if the holder
    may upload models. `#` starts a comment.

    Raises:
        InputError: the file is missing, every user can read it, or a line is not valid.
    """
    data = read_if_there(file, FILE_BYTES_MAX)
    if data is None:
        raise InputError(f"{file}: no such file, or larger than {FILE_BYTES_MAX} bytes; write one 'NAME KEY' per line")
    if file.stat().st_mode & 0o004:
        raise InputError(f"{file}: readable by all users of this machine; run chmod o-r {file}")
    keys: dict[bytes, Key] = {}
    for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) not in (2, 3) or words[2:] not in ([], ["admin"]) or len(keys) >= KEYS_MAX:
            raise InputError(f"{file}:{number}: must be one 'NAME KEY' or 'NAME KEY admin' per line, at most {KEYS_MAX} lines")
        name, key = words[:2]
        owner = Key(name, len(words) == 3)
        if key.startswith("sha256:"):
            digest = key.removeprefix("sha256:")
            if len(digest) != 64 or digest.strip("0123456789abcdefABCDEF"):
                raise InputError(f"{file}:{number}: sha256: must be followed by 64 hexadecimal digits")
            keys[bytes.fromhex(digest)] = owner
        elif len(key) < KEY_LENGTH_MIN:
            raise InputError(
                f"{file}:{number}: a key must have at least {KEY_LENGTH_MIN} characters; generate one with `openssl rand -hex 24`"
            )
        else:
            keys[hashlib.sha256(key.encode()).digest()] = owner
    if not keys:
        raise InputError(f"{file}: contains no key; write one 'NAME KEY' per line")
    return keys


def is_local(address: str) -> bool:
    """Whether only this machine can reach an address."""
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _presented_key(headers: Mapping[bytes, bytes]) -> bytes:
    given = headers.get(b"authorization", b"")
    if given[:7].lower() == b"bearer ":
        return given[7:].strip()
    return headers.get(b"x-api-key", b"")


def _reason(cause: OSError) -> str:
    return cause.strerror or str(cause)
