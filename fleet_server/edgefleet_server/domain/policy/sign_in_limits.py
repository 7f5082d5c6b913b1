"""Limits of sign-in: they slow guessing down, and lock no user out. Pure: time is an argument; memory is bounded.

Wrong passwords for a name from one network cost a growing delay for that pair only. Above a number of tries for one name from
everywhere, each network has one try at a time, so that its owner gets in from any address that has not guessed.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from typing import Final

from edgefleet_server.core.errors import TooManyError
from edgefleet_server.domain.policy.rate_limit import RateLimit

FREE_TRIES: Final = 5
FIRST_DELAY_S: Final = 60.0
DELAY_S_MAX: Final = 3600.0
FORGET_S: Final = 86_400.0
WINDOW_S: Final = 300.0
TRIES_NETWORK: Final = 30
TRIES_NAME: Final = 50
"""Tries within the window from one network, and for one name from all networks."""
KEYS_MAX: Final = 20_000


class SignInLimits:
    """Counts tries. Not for several threads at once: the owner locks."""

    def __init__(self) -> None:
        self._window = RateLimit(WINDOW_S)
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def begin(self, name: str, source: str, session: str, now: float) -> str:
        """Count a try before its result is known; returns the key for `forgive`. `session`: the key of a valid session of this
        user that the request has; such a request is limited by itself only.

        Raises:
            TooManyError: the delay of the pair has not passed, or there were too many tries from this network.
        """
        if session:
            return self._try(f"session {session}", now, FREE_TRIES)
        network = network_of(source)
        pair = f"pair {network} {name}"
        free = FREE_TRIES if self._below(f"name {name}", TRIES_NAME, now) else 1
        self._check(pair, now, free)
        self._window.take({f"from {network}": TRIES_NETWORK}, now)
        return self._try(pair, now, free)

    def forgive(self, key: str) -> None:
        """Forget the wrong tries of a key after a right one."""
        self._wrong.pop(key, None)

    def _below(self, key: str, limit: int, now: float) -> bool:
        try:
            self._window.take({key: limit}, now)
        except TooManyError:
            return False
        return True

    def _try(self, key: str, now: float, free: int) -> str:
        self._check(key, now, free)
        count, at = self._wrong.pop(key, (0, now))
        self._wrong[key] = (count + 1 if now - at < FORGET_S else 1, now)
        while len(self._wrong) > KEYS_MAX:
            self._wrong.popitem(last=False)
        return key

    def _check(self, key: str, now: float, free: int) -> None:
        count, at = self._wrong.get(key, (0, now))
        if count < free or now - at >= FORGET_S:
            return
        wait_s = at + min(DELAY_S_MAX, FIRST_DELAY_S * 2.0 ** min(count - free, 20)) - now
        if wait_s > 0:
            raise TooManyError(f"too many attempts; wait {int(wait_s) + 1} s, or sign in from another address", int(wait_s) + 1)


def network_of(source: str) -> str:
    """The network whose addresses one client may change at will: the /64 of an IPv6 address, else the address."""
    try:
        address = ipaddress.ip_address(source)
    except ValueError:
        return source
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return source
