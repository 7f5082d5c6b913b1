"""Who may come in: API keys, client certificates, and how often.

On loopback and at a socket file the machine itself is the guard. An address that others can reach opens only with API keys or
client certificates, unless someone says in so many words that everybody may come.
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
"""Callers whose rate is remembered; the one not seen for longest is forgotten first, and begins anew."""
BURST_S = 2.0
"""What may come at once, in seconds of the rate."""
OPEN_PATHS = (
    b"/v2/health/",
    b"/inference.GRPCInferenceService/ServerLive",
    b"/inference.GRPCInferenceService/ServerReady",
    b"/grpc.health.v1.Health/",
)
"""What a load balancer may ask without a key: whether there is a server."""


@dataclass(frozen=True, slots=True)
class Key:
    """Whose key it is. admin: its holder may send models."""

    name: str
    admin: bool = False


@dataclass(frozen=True, slots=True)
class Tls:
    """Files in PEM form. client_ca: only who has a certificate of this authority comes in; None: anybody."""

    cert: Path
    key: Path
    client_ca: Path | None = None

    def context(self, protocol: str) -> ssl.SSLContext:
        """What a listener for `protocol` (ALPN: `http/1.1`, `h2`) needs.

        Raises:
            InputError: one of the files is not there or not what it should be.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols([protocol])
        try:
            context.load_cert_chain(self.cert, self.key)
        except (OSError, ssl.SSLError) as cause:
            raise InputError(f"{self.cert}, {self.key}: not a certificate and its key ({_why(cause)})") from cause
        if self.client_ca is not None:
            try:
                context.load_verify_locations(self.client_ca)
            except (OSError, ssl.SSLError) as cause:
                raise InputError(f"{self.client_ca}: no certificates of an authority ({_why(cause)})") from cause
            context.verify_mode = ssl.CERT_REQUIRED
        return context


@dataclass(slots=True)
class Authentication:
    """The rules of one server; used by its loops. keys: by the SHA-256 of each. rate_per_s: requests of each key, or of
    each address where there are no keys; 0 for any. everyone: an open address without keys is meant so.
    """

    keys: Mapping[bytes, Key] = field(default_factory=dict)
    tls: Tls | None = None
    rate_per_s: float = 0.0
    everyone: bool = False
    _buckets: collections.OrderedDict[str, tuple[float, float]] = field(default_factory=collections.OrderedDict, repr=False)

    @property
    def idle(self) -> bool:
        """Whether there is nothing to ask of a request."""
        return not self.keys and not self.rate_per_s

    def check_address(self, address: str) -> None:
        """Whether a door may open at this address.

        Raises:
            InputError: others could come in there, and nothing keeps them out.
        """
        if is_local(address) or self.keys or self.everyone or (self.tls is not None and self.tls.client_ca is not None):
            return
        raise InputError(
            f"{address} can be reached by others: give --api-keys FILE or --tls-client-ca FILE, or say --open-to-everyone"
        )

    def admit(self, path: bytes, headers: Mapping[bytes, bytes], peer: str) -> CallError | None:
        """Why a request is not let in, None where it is."""
        who = peer
        if self.keys:
            if path.startswith(OPEN_PATHS):
                return None
            key = self._key(headers)
            if key is None:
                return CallError(Code.UNAUTHENTICATED, "an API key is needed: Authorization: Bearer KEY, or X-API-Key: KEY")
            who = f"key:{key.name}"
        return self._take(who, time.monotonic()) if self.rate_per_s else None

    def check_sender(self, headers: Mapping[bytes, bytes], address: str) -> None:
        """Whether who came in at `address` may send models: an administrator's key, or a caller of this machine where there are
        no keys. A model is read by native code, and takes what memory it wants.

        Raises:
            CallError: no.
        """
        key = self._key(headers)
        # A page in a browser of this machine is no caller of this machine: it says where it comes from.
        here = not self.keys and is_local(address) and b"origin" not in headers
        if key.admin if key is not None else here:
            return
        raise CallError(Code.FORBIDDEN, "models are taken from this machine, or with a key that is marked 'admin'")

    def _key(self, headers: Mapping[bytes, bytes]) -> Key | None:
        return self.keys.get(hashlib.sha256(_presented(headers)).digest())

    def _take(self, who: str, now_s: float) -> CallError | None:
        most = max(1.0, self.rate_per_s * BURST_S)
        left, since_s = self._buckets.pop(who, (most, now_s))
        left = min(most, left + (now_s - since_s) * self.rate_per_s)
        allowed = left >= 1.0
        self._buckets[who] = left - allowed, now_s
        if len(self._buckets) > BUCKETS_MAX:
            self._buckets.popitem(last=False)
        if allowed:
            return None
        return CallError(
            Code.TOO_MANY,
            f"more than {self.rate_per_s:g} requests a second; try again later",
            math.ceil((1.0 - left) / self.rate_per_s),
        )


def read_keys(file: Path) -> dict[bytes, Key]:
    """The keys of a file: one `NAME KEY` a line, or `NAME sha256:HEX` where the key itself shall not lie around; `admin`
    behind it where its holder may send models. `#` begins a comment.

    Raises:
        InputError: it is not there, others may read it, or a line is neither.
    """
    data = read_if_there(file, FILE_BYTES_MAX)
    if data is None:
        raise InputError(f"{file}: not there, or over {FILE_BYTES_MAX} bytes; write one 'NAME KEY' a line")
    if file.stat().st_mode & 0o004:
        raise InputError(f"{file}: every user of this machine can read the keys; chmod o-r {file}")
    keys: dict[bytes, Key] = {}
    for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) not in (2, 3) or words[2:] not in ([], ["admin"]) or len(keys) >= KEYS_MAX:
            raise InputError(f"{file}:{number}: give one 'NAME KEY' or 'NAME KEY admin' a line, at most {KEYS_MAX}")
        name, key = words[:2]
        owner = Key(name, len(words) == 3)
        if key.startswith("sha256:"):
            digest = key.removeprefix("sha256:")
            if len(digest) != 64 or digest.strip("0123456789abcdefABCDEF"):
                raise InputError(f"{file}:{number}: sha256: is followed by 64 hexadecimal digits")
            keys[bytes.fromhex(digest)] = owner
        elif len(key) < KEY_LENGTH_MIN:
            raise InputError(f"{file}:{number}: a key has at least {KEY_LENGTH_MIN} characters; `openssl rand -hex 24` makes one")
        else:
            keys[hashlib.sha256(key.encode()).digest()] = owner
    if not keys:
        raise InputError(f"{file}: holds no key; write one 'NAME KEY' a line")
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


def _presented(headers: Mapping[bytes, bytes]) -> bytes:
    given = headers.get(b"authorization", b"")
    if given[:7].lower() == b"bearer ":
        return given[7:].strip()
    return headers.get(b"x-api-key", b"")


def _why(cause: OSError) -> str:
    return cause.strerror or str(cause)
