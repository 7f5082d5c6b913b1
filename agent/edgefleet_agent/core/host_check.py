"""Checks `Host` and `Origin`, so that no web page uses a listener of this machine in the name of its reader.

A web page in a browser of this machine or its network may send requests here in two ways: from its own origin, where the
browser sends the request and hides the response only; and under a name of the page's own that resolves to this machine (DNS
rebinding), where the browser takes page and listener for one origin. `Origin` shows the first, `Host` the second.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable

KNOWN_MAX = 256
"""Results that are remembered: most callers send one host."""


class HostCheck:
    """Accepts address literals, `localhost`, the machine's name and `names` as `Host`. machine: by default its host name."""

    def __init__(self, names: Iterable[str] = (), machine: str | None = None) -> None:
        full = (socket.gethostname() if machine is None else machine).lower()
        short = full.partition(".")[0]
        own = {full, short, f"{short}.local"} - {"", ".local"}
        self._names = frozenset({"localhost", *own, *(name.lower().rstrip(".") for name in names)})
        self._known: dict[str, bool] = {}

    def accepts(self, host: str) -> bool:
        """Whether a request with this `Host` may be answered."""
        found = self._known.get(host)
        if found is None:
            if len(self._known) >= KNOWN_MAX:
                self._known.clear()
            name = host_name(host)
            found = self._known[host] = name in self._names or is_address(name)
        return found


def host_name(host: str) -> str:
    """The name or address of a `Host`, in lower case, without port, brackets and final dot."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower().rstrip(".")


def is_address(name: str) -> bool:
    """Whether a name is an address literal: no name server can make it point elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(name: str) -> bool:
    """Whether a name is `localhost` or an address that only this machine reaches."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name.lower() == "localhost"
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def same_origin(origin: str, host: str) -> bool:
    """Whether an `Origin` is that of the listener which the request names as its `Host`."""
    scheme, separator, authority = origin.partition("://")
    return bool(separator) and scheme.lower() in ("http", "https") and authority.lower() == host.lower()
