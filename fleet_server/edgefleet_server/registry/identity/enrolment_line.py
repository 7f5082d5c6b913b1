"""The address at which devices enrol, and the command line for a device: the same in the CLI, in the REST API and in the
dashboard."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from urllib.parse import urlsplit

from edgefleet_server.core.settings import Settings, is_loopback_host, url_host


@dataclass(frozen=True, slots=True)
class EnrolmentAddress:
    """`url`: of the server, for devices. `ca_sha256`: SHA-256 fingerprint of the server's own certificate authority (DER, hex),
    which devices compare; empty if the server's HTTPS certificate is of another authority. `warning`: the reason why devices on
    other machines cannot use this address, and what to do; empty = they can."""

    url: str
    ca_sha256: str = ""
    warning: str = ""

    def command(self, device: str, token: str) -> str:
        """The command line for the device. The token comes through a pipe: the arguments of a process are visible to all users of
        a machine."""
        return f"echo {shlex.quote(token)} | {self.command_with_file(device, '-')}"

    def command_with_file(self, device: str, file: str) -> str:
        """The command line for the device, with the token in a file; `-`: stdin."""
        words = ["edgefleet-agent", "enroll", self.url, "--token-file", file]
        words += ["--ca-sha256", self.ca_sha256] if self.ca_sha256 else []
        words += ["--device", device] if device else []
        return shlex.join(words)


def enrolment_address(settings: Settings, fingerprint: str, device_url: str, called: str = "") -> EnrolmentAddress:
    """The address for devices. `fingerprint`: of the server's own authority; `device_url`: of the broker for devices; `called`:
    the URL that a client has just used, for a server whose name is not in its settings."""
    url = settings.public_url
    if not url:
        host = settings.host if settings.is_loopback else settings.device_host
        url = f"{'https' if settings.has_tls else 'http'}://{url_host(host)}:{settings.port}"
        if called and not settings.is_loopback and is_loopback_host(host):
            url = called.rstrip("/")
    pin = fingerprint if settings.tls_self_signed else ""
    return EnrolmentAddress(url, pin, broker_warning(settings, device_url) or _url_warning(url))


def broker_warning(settings: Settings, device_url: str) -> str:
    """The reason why devices on other machines, which reach this server, would not reach its broker; empty = they would."""
    host = urlsplit(device_url).hostname or ""
    if not is_loopback_host(host) or (settings.is_loopback and not settings.public_url):
        return ""
    option = "--device-broker URL" if settings.broker_url else "--device-host NAME"
    return f"devices on other machines would be sent to {host}: start the server with {option}, by which they reach it"


def _url_warning(url: str) -> str:
    parts = urlsplit(url)
    if is_loopback_host(parts.hostname or ""):
        return f"{url} is for devices on this machine only; for others start the server with --tls-self-signed --device-host NAME"
    if parts.scheme != "https":
        return f"devices do not send a token to {url}, which is not encrypted; start the server with --public-url https://NAME"
    return ""
