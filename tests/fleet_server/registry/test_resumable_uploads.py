"""Packages in pieces: every cut, every lie, and a restart between two pieces."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from types import SimpleNamespace

import pytest

from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError, StoreError
from edgefleet_server.registry.disk_space import RESERVE_BYTES
from edgefleet_server.registry.resumable_uploads import RETENTION_S, UNFINISHED_MAX, PackageUploads, UploadStatus

NOW = 1_790_000_000.0
WHOLE = random.Random(1).randbytes(300_000)
SHA = hashlib.sha256(WHOLE).hexdigest()


def append(uploads: PackageUploads, name: str, by: str, offset: int, data: bytes) -> UploadStatus:
    with uploads.piece(name, by, offset) as piece:
        piece.write(data)
        return piece.finish()


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
        state = append(again, state.coming.id, "ann", state.offset, WHOLE[state.offset : state.offset + piece])
    with uploads.whole(state.coming.id, "ann") as file:
        assert file.read() == WHOLE
    assert not list((tmp_path / "uploads").iterdir())


def test_what_does_not_fit_is_refused_and_changes_nothing(uploads: PackageUploads) -> None:
    state = uploads.begin("ann", len(WHOLE), SHA, NOW)
    name = state.coming.id
    append(uploads, name, "ann", 0, WHOLE[:1000])
    with pytest.raises(ConflictError, match="wrong offset 0; the upload continues at byte 1000"):
        append(uploads, name, "ann", 0, WHOLE[:1000])
    with pytest.raises(ConflictError, match="wrong offset 2000; the upload continues at byte 1000"):
        append(uploads, name, "ann", 2000, WHOLE[:1000])
    with pytest.raises(InputError, match="exceed the announced 300000"):
        append(uploads, name, "ann", 1000, WHOLE)
    for stranger in (("../../etc", "ann"), (name, "bob"), ("0" * 32, "ann")):
        with pytest.raises(NotFoundError):
            uploads.status(*stranger)
    with pytest.raises(InputError, match="the maximum is 1000000"):
        uploads.begin("ann", 1_000_001, SHA, NOW)
    assert uploads.status(name, "ann").offset == 1000
    uploads.drop(name, "ann")
    with pytest.raises(NotFoundError, match="start a new upload"):
        append(uploads, name, "ann", 1000, b"x")


def test_other_bytes_than_announced_are_thrown_away(uploads: PackageUploads, tmp_path: Path) -> None:
    state = uploads.begin("ann", len(WHOLE), SHA, NOW)
    append(uploads, state.coming.id, "ann", 0, WHOLE[:-1] + b"?")
    with pytest.raises(InputError, match="does not match the announced one"), uploads.whole(state.coming.id, "ann"):
        pass
    assert not list((tmp_path / "uploads").iterdir())


def test_piece_that_breaks_off_is_continued(uploads: PackageUploads) -> None:
    """The bytes so far are kept; a second piece at the same time is refused, and holds up no other upload."""
    state, other = uploads.begin("ann", len(WHOLE), SHA, NOW), uploads.begin("bob", 10, SHA, NOW)
    with uploads.piece(state.coming.id, "ann", 0) as piece:  # and no `finish`
        piece.write(WHOLE[:1000])
        with pytest.raises(ConflictError, match="another piece of this upload is arriving"):
            append(uploads, state.coming.id, "ann", 1000, b"x")
        assert append(uploads, other.coming.id, "bob", 0, b"x").offset == 1
    assert append(uploads, state.coming.id, "ann", 1000, WHOLE[1000:]).offset == len(WHOLE)


def test_uploads_leave_a_reserve_on_the_disk(uploads: PackageUploads, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted with all that was announced before."""
    free = RESERVE_BYTES + 2 * 700_000
    monkeypatch.setattr(
        "edgefleet_server.registry.disk_space.shutil.disk_usage", lambda _folder: SimpleNamespace(free=free, total=free)
    )
    uploads.begin("ann", 600_000, SHA, NOW)
    with pytest.raises(StoreError, match="no space for"):
        uploads.begin("bob", 600_000, "f" * 64, NOW)


def test_old_uploads_are_deleted_without_new_ones(uploads: PackageUploads, tmp_path: Path) -> None:
    append(uploads, uploads.begin("ann", 10, SHA, NOW).coming.id, "ann", 0, b"x")
    assert uploads.tidy(NOW + RETENTION_S) == 0
    assert uploads.tidy(NOW + RETENTION_S + 1) == 2
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
