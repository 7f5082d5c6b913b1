"""Births and wills, late, twice and out of order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.fleet.presence import DevicePresence, PresenceState, after_message

ONLINE = DevicePresence(PresenceState.ONLINE, "b2", 5, 100.0, boot_before="b1")


def after(known: DevicePresence | None, *, online: bool, boot: str, connection: int, retained: bool = False) -> DevicePresence:
    return after_message(known, online=online, boot=boot, connection=connection, retained=retained, now=200.0) or known or ONLINE


def test_late_will_of_an_old_connection() -> None:
    """Says nothing about the new one, of this boot or another."""
    assert after(ONLINE, online=False, boot="b2", connection=4) == ONLINE
    assert after(ONLINE, online=False, boot="b1", connection=99) == ONLINE
    assert after(ONLINE, online=False, boot="b2", connection=5).state is PresenceState.OFFLINE


def test_retained_birth_does_not_revive() -> None:
    """The broker keeps what was; a device that went away meanwhile is not there because of it."""
    silent = DevicePresence(PresenceState.SILENT, "b2", 5, 100.0)
    assert after(silent, online=True, boot="b2", connection=5, retained=True) == silent
    assert after(silent, online=True, boot="b2", connection=6).state is PresenceState.ONLINE
    assert after(ONLINE, online=True, boot="b1", connection=9, retained=True) == ONLINE


def test_retained_will_of_an_unknown_boot_means_silent() -> None:
    """The server was away: the device rebooted and went, or this is a late will. Silent until it speaks."""
    doubted = after(ONLINE, online=False, boot="b3", connection=1, retained=True)
    assert doubted.state is PresenceState.SILENT
    assert after(ONLINE, online=False, boot="b1", connection=1, retained=True) == ONLINE


@given(wills=st.lists(st.tuples(st.sampled_from(["b1", "b2"]), st.integers(0, 4)), max_size=8), connection=st.integers(5, 9))
def test_no_old_will_ends_the_current_connection(wills: list[tuple[str, int]], connection: int) -> None:
    """Whatever wills of earlier connections arrive after the birth, in whatever order."""
    known = after(ONLINE, online=True, boot="b2", connection=connection)
    for boot, old in wills:
        known = after(known, online=False, boot=boot, connection=old)
    assert known.state is PresenceState.ONLINE
