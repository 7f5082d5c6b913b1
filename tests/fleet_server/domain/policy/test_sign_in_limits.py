"""Guessing is slow from everywhere, and locks no user out."""

from __future__ import annotations

from contextlib import suppress

import pytest

from edgefleet_server.core.errors import TooManyError
from edgefleet_server.domain.policy.sign_in_limits import (
    DELAY_S_MAX,
    FORGET_S,
    FREE_TRIES,
    KEYS_MAX,
    TRIES_NAME,
    WINDOW_S,
    SignInLimits,
    network_of,
)

DAY_S = 86_400


def tries_within(limits: SignInLimits, name: str, source: str, seconds: int, step: int = 5) -> int:
    """The number of guesses of an attacker who never waits for longer than necessary."""
    count = 0
    for now in range(0, seconds, step):
        try:
            limits.begin(name, source, "", float(now))
        except TooManyError:
            continue
        count += 1
    return count


def test_delay_grows_with_each_wrong_try() -> None:
    """For the pair of name and address, up to an hour; a right password ends it."""
    limits, now, waits = SignInLimits(), 0.0, []
    for _ in range(FREE_TRIES):
        key = limits.begin("ada", "192.0.2.1", "", now)
    for _ in range(10):
        with pytest.raises(TooManyError) as refused:
            limits.begin("ada", "192.0.2.1", "", now)
        waits.append(refused.value.wait_s)
        now += refused.value.wait_s
        key = limits.begin("ada", "192.0.2.1", "", now)
    assert waits == sorted(waits)
    assert waits[1] == pytest.approx(2 * waits[0], abs=2)
    assert waits[-1] == DELAY_S_MAX + 1
    limits.forgive(key)
    for _ in range(FREE_TRIES):
        limits.begin("ada", "192.0.2.1", "", now)
    limits.begin("ada", "192.0.2.1", "", now + FORGET_S)


def test_one_address_has_few_guesses_a_day() -> None:
    assert tries_within(SignInLimits(), "ada", "192.0.2.1", DAY_S) < 50


def test_attackers_do_not_lock_the_owner_out() -> None:
    """Neither from one address nor from many: another address has a try at any time, and a valid session all of its own."""
    limits = SignInLimits()
    for number in range(20 * TRIES_NAME):
        with suppress(TooManyError):
            limits.begin("ada", f"198.51.{number % 200}.7", "", float(number))
    now = 20.0 * TRIES_NAME
    limits.begin("ada", "203.0.113.9", "", now)
    with pytest.raises(TooManyError):
        limits.begin("ada", "198.51.3.7", "", now)
    for _ in range(FREE_TRIES):
        limits.begin("ada", "198.51.3.7", "session-of-ada", now)
    with pytest.raises(TooManyError):
        limits.begin("ada", "198.51.3.7", "session-of-ada", now)


def test_many_addresses_have_one_guess_each_once_a_name_is_attacked() -> None:
    """Above the limit of the name, a new address waits after its first wrong try."""
    limits = SignInLimits()
    for number in range(TRIES_NAME):
        limits.begin("ada", f"198.51.{number}.7", "", 1.0)
    limits.begin("ada", "203.0.113.9", "", 1.0)
    with pytest.raises(TooManyError):
        limits.begin("ada", "203.0.113.9", "", 2.0)
    limits.begin("tom", "203.0.113.9", "", 2.0)
    for _ in range(2):
        limits.begin("ada", "203.0.113.10", "", 2.0 + WINDOW_S)


def test_addresses_of_one_network_count_together() -> None:
    """An IPv6 client has 2**64 of them."""
    assert network_of("2001:db8:1:2::5") == network_of("2001:db8:1:2:ffff::9") != network_of("2001:db8:1:3::5")
    assert network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("testclient") == "testclient"


def test_memory_is_bounded() -> None:
    limits = SignInLimits()
    for number in range(KEYS_MAX + 100):
        limits.begin(f"name {number}", f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", "", 1.0)
    assert len(limits._wrong) <= KEYS_MAX
