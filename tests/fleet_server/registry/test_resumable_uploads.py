"""Packages in pieces: every cut, every lie, and a restart between two pieces."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError
from edgefleet_server.registry.resumable_uploads import RETENTION_S, UNFINISHED_MAX, PackageUploads

NOW = 1_790_000_000.0
WHOLE = random.Random(1).randbytes(300_000)
SHA = hashlib.sha256(WHOLE).hexdigest()


@pytest.fixture
def uploads(tmp_path: Path) -> PackageUploads:
    return PackageUploads(tmp_path / "uploads", 1_000_000)


@pytest.mark.parametrize("piece", [1_000, 99_999, 300_000])
def test_pieces_become_the_whole_over_restarts(uploads: PackageUploads, tmp_path: Path, piece: int) -> None:
    state = uploads.begin("ann", len(WHOLE), SHA, NOW)
    while state.offset < len(WHOLE):
        again = PackageUploads(tmp_path / "uploads", 1_000_000)  # the server was restarted
        assert again.begin("ann", len(WHOLE), SHA, NOW).offset == state.offset, "the same bytes go on where they were"
        with pytest.raises(ConflictError, match="of 300000 bytes received"), again.whole(state.coming.id, "ann"):
            pass
        state = again.append(state.coming.id, "ann", state.offset, WHOLE[state.offset : state.offset + piece])
    with uploads.whole(state.coming.id, "ann") as file:
        assert file.read() == WHOLE
    assert not list((tmp_path / "uploads").iterdir())


def test_what_does_not_fit_is_refused_and_changes_nothing(uploads: PackageUploads) -> None:
    state = uploads.begin("ann", len(WHOLE), SHA, NOW)
    name = state.coming.id
    uploads.append(name, "ann", 0, WHOLE[:1000])
    with pytest.raises(ConflictError, match="wrong offset 0; the upload continues at byte 1000"):
        uploads.append(name, "ann", 0, WHOLE[:1000])
    with pytest.raises(ConflictError, match="wrong offset 2000; the upload continues at byte 1000"):
        uploads.append(name, "ann", 2000, WHOLE[:1000])
    with pytest.raises(InputError, match="exceed the announced 300000"):
        uploads.append(name, "ann", 1000, WHOLE)
    for stranger in (("../../etc", "ann"), (name, "bob"), ("0" * 32, "ann")):
        with pytest.raises(NotFoundError):
            uploads.status(*stranger)
    with pytest.raises(InputError, match="the maximum is 1000000"):
        uploads.begin("ann", 1_000_001, SHA, NOW)
    assert uploads.status(name, "ann").offset == 1000
    uploads.drop(name, "ann")
    with pytest.raises(NotFoundError, match="start a new upload"):
        uploads.append(name, "ann", 1000, b"x")


def test_other_bytes_than_announced_are_thrown_away(uploads: PackageUploads, tmp_path: Path) -> None:
    state = uploads.begin("ann", len(WHOLE), SHA, NOW)
    uploads.append(state.coming.id, "ann", 0, WHOLE[:-1] + b"?")
    with pytest.raises(InputError, match="does not match the announced one"), uploads.whole(state.coming.id, "ann"):
        pass
    assert not list((tmp_path / "uploads").iterdir())


def test_unfinished_uploads_are_limited(uploads: PackageUploads, tmp_path: Path) -> None:
    for number in range(UNFINISHED_MAX // 4):
        uploads.begin("ann", 10, f"{number:064x}", NOW)
    with pytest.raises(ConflictError, match="too many unfinished uploads"):
        uploads.begin("ann", 10, "f" * 64, NOW)
    for person in ("bob", "eve", "dan"):
        for number in range(UNFINISHED_MAX // 4):
            uploads.begin(person, 10, f"{number:064x}", NOW)
    with pytest.raises(ConflictError, match="too many unfinished uploads"):
        uploads.begin("ida", 10, "f" * 64, NOW)
    (tmp_path / "uploads/stray.part").write_bytes(b"of a power cut")
    uploads.begin("ida", 10, "f" * 64, NOW + RETENTION_S + 1)
    assert len(list((tmp_path / "uploads").iterdir())) == 2, "what is older than a day gave way"
