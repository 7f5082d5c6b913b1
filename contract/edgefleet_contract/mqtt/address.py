"""Address of a broker, and how a client signs in there."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from edgefleet_contract.core.errors import InputError

PORT = 1883
TLS_PORT = 8883


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Address of a broker, and whether TLS is used."""

    host: str
    port: int
    tls: bool = False

    @classmethod
    def parse(cls, url: str) -> BrokerAddress:
        """Read `mqtt://host[:port]` or `mqtts://host[:port]`.

        Raises:
            InputError: not such a URL.
        """
        try:
            parts = urlsplit(url)
            tls = parts.scheme == "mqtts"
            port = parts.port or (TLS_PORT if tls else PORT)
        except ValueError as error:
            raise InputError(f"broker {url!r}: {error}; must be mqtt://host:port") from error
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/") or parts.username:
            raise InputError(f"broker {url!r} is not of the form mqtt://host:port or mqtts://host:port")
        return cls(parts.hostname, port, tls)

    @property
    def url(self) -> str:
        """`mqtt://host:port`, or `mqtts://host:port`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Login:
    """User name and password, where a broker asks for them. No name: the certificate says who we are, and some brokers
    (RabbitMQ) refuse a name that comes without a password."""

    user: str
    password: str = field(default="", repr=False)
