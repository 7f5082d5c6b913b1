"""A rotation of the authority under SIGKILL at every change of the disk, on the device and on the server."""

from __future__ import annotations

import ssl
from functools import lru_cache
from pathlib import Path

from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.machine.identity import install_identity, pack_credentials, read_identity, replace_authorities
from edgefleet_agent.machine.identity_copy import read_or_restore
from edgefleet_contract.core.pinned_authority import fingerprints
from edgefleet_server.registry.identity.authorities import Authorities
from tests.agent.service.test_crash_identity import NAMED, NOW, memory
from tests.crash import check_cover, done_notes, note_done


@lru_cache
def steps() -> tuple[tuple[str, bytes], ...]:
    """(authorities, key and certificate) before a rotation, in its overlap and after it."""
    with memory() as folder:
        authorities = Authorities(folder / "authority")
        authorities.open(NOW)
        made = []
        for step in (lambda: None, lambda: authorities.begin(NOW), authorities.finish):
            step()
            key, request = new_request("press-07")
            issued = authorities.issue(request, "press-07", 90.0, NOW)
            made.append((authorities.bundle, pack_credentials(key, issued.certificate, issued.issued_at, issued.expires_at)))
        return tuple(made)


def follow(state: Path) -> None:
    (first, credentials), *later = steps()
    install_identity(state, NAMED, first, credentials)
    note_done(state, "enrolled")
    for authorities, credentials in later:
        read_or_restore(state)  # as the service does every minute
        replace_authorities(state, authorities, authorities, credentials)
        note_done(state, "renewed")


def still_belongs(state: Path) -> None:
    """Certificate and authorities are those of one step, none before the last that was done, and the rotation can go on."""
    found, _ = read_or_restore(state)
    done = len(done_notes(state))
    if found is None:
        assert not done
        return
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(found.credentials)
    stored = (found.authority.read_text(), found.credentials.read_bytes())
    assert stored in steps()[max(0, done - 1) :]
    assert list(found.authorities) == fingerprints(stored[0])
    authorities, credentials = steps()[-1]
    replace_authorities(state, authorities, authorities, credentials)
    assert read_identity(state) is not None


def rotate(root: Path) -> None:
    authorities = Authorities(root / "authority")
    authorities.open(NOW)
    note_done(root, "made")
    authorities.begin(NOW)
    note_done(root, "began")
    authorities.finish()
    note_done(root, "finished")


def still_rotates(root: Path) -> None:
    """The server starts, with what was done, and a rotation can be brought to its end."""
    authorities = Authorities(root / "authority")
    authorities.open(NOW)
    done = done_notes(root)
    if "finished" in done:
        assert authorities.rotating_since is None
    elif "began" in done:
        assert len(fingerprints(authorities.bundle)) in (1, 2)
    if authorities.rotating_since is None:
        authorities.begin(NOW + 1)
    overlap = fingerprints(authorities.bundle)
    authorities.finish()
    assert fingerprints(authorities.bundle) == overlap[1:]


def test_a_device_follows_a_rotation_through_kills() -> None:
    steps()  # before the processes of the story, which are to have the same
    with memory() as folder:
        assert len(check_cover(folder, follow, still_belongs, power_cuts=8)) > 6


def test_a_server_rotates_through_kills() -> None:
    with memory() as folder:
        assert len(check_cover(folder, rotate, still_rotates, power_cuts=8)) > 6
