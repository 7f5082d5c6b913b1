"""Coming in: passwords, throttle, the chain of the log. Pure parts, without a server."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.core.errors import DeniedError, InputError, TooManyError
from edgefleet_server.domain.policy import passwords, roles
from edgefleet_server.domain.policy.audit_chain import FIRST, AuditEntry, digest, verify
from edgefleet_server.domain.policy.rate_limit import KEYS_MAX, RateLimit
from edgefleet_server.domain.policy.roles import Role


def test_passwords_are_stored_as_salted_hashes() -> None:
    """The same password twice looks different, and only the right one fits."""
    first = passwords.hash_password("correct horse battery", b"a" * 16)
    second = passwords.hash_password("correct horse battery", b"b" * 16)
    assert first != second
    assert first.startswith("scrypt$15$8$3$")
    assert passwords.matches("correct horse battery", first)
    assert not passwords.matches("correct horse batterz", first)


@pytest.mark.parametrize("password", ["short", "x" * 300, "aaaaaaaaaaaaaa", "rosa.keller"])
def test_weak_passwords_are_refused(password: str) -> None:
    """Too short, too long, one letter, one's own name."""
    with pytest.raises(InputError):
        passwords.check_strength("rosa.keller", password)


def test_a_role_covers_those_below() -> None:
    """Viewer < operator < admin, and a token never more than its owner."""
    for one, role in enumerate(Role):
        for other, needed in enumerate(Role):
            assert role.covers(needed) == (one >= other)
            assert roles.least(role, needed) is list(Role)[min(one, other)]
    with pytest.raises(DeniedError, match="pause_rollout requires role operator"):
        roles.check(Role.VIEWER, "pause_rollout")


def test_throttle_counts_tries_within_a_window() -> None:
    """Up to the limit; then it says how long to wait; a right try is forgiven."""
    throttle = RateLimit(60.0)
    for at in range(3):
        throttle.take({"rosa": 3, "address": 10}, float(at))
    with pytest.raises(TooManyError, match="wait 58 s") as refused:
        throttle.take({"rosa": 3, "address": 10}, 3.0)
    assert refused.value.wait_s == 58
    throttle.take({"tom": 3, "address": 10}, 3.0)
    throttle.take({"rosa": 3, "address": 10}, 60.5)
    throttle.forgive("rosa")
    throttle.take({"rosa": 1}, 61.0)


def test_throttle_remembers_a_bounded_number_of_keys() -> None:
    """Invented names do not fill the memory."""
    throttle = RateLimit(60.0)
    for number in range(KEYS_MAX + 50):
        throttle.take({f"name {number}": 1}, 1.0)
    throttle.take({"name 0": 1}, 1.0)
    assert len(throttle._tries) <= KEYS_MAX


ENTRIES = st.lists(
    st.tuples(st.floats(0, 2e9), st.text(max_size=8), st.integers(0, 599), st.text(max_size=20)), min_size=1, max_size=8
)


def chain(rows: list[tuple[float, str, int, str]]) -> list[tuple[AuditEntry, str, str]]:
    linked, previous = [], FIRST
    for seq, (at, actor, status, detail) in enumerate(rows, 1):
        entry = AuditEntry(seq, at, actor, "admin", "session", "::1", "sign_in", "/session", status, detail)
        linked.append((entry, previous, digest(entry, previous)))
        previous = linked[-1][2]
    return linked


@given(rows=ENTRIES, data=st.data())
def test_no_entry_can_be_changed_or_left_out(rows: list[tuple[float, str, int, str]], data: st.DataObject) -> None:
    """Whatever is done to the chain shows; cutting off its end shows to who kept the head."""
    linked = chain(rows)
    whole = verify(linked)
    assert (whole.fault, whole.entries) == ("", len(rows))
    assert verify(linked, whole.head).fault == ""
    at = data.draw(st.integers(0, len(rows) - 1))
    entry, previous, own = linked[at]
    name = data.draw(st.sampled_from(["actor", "detail", "target", "source", "action"]))
    changed = dataclasses.replace(entry, **{name: getattr(entry, name) + "x"})
    assert verify([*linked[:at], (changed, previous, own), *linked[at + 1 :]]).fault
    forged = [*linked[:at], (changed, previous, digest(changed, previous)), *linked[at + 1 :]]
    assert verify(forged, whole.head).fault
    assert at == len(rows) - 1 or verify(linked[:at] + linked[at + 1 :]).fault
    assert verify(linked[:-1], whole.head).fault
