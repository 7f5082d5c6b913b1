"""The pure model of the disk, with writers that are right and writers that are wrong."""

from __future__ import annotations

import pytest

from tests.power_loss.disk import Disk, Survivors
from tests.power_loss.operations import ROOT, Create, Flush, Operation, Rename, Truncate, Unlink, Write

EVERY = [Survivors("all"), Survivors("none"), *(Survivors("some", seed) for seed in range(200))]

BEGIN: list[Operation] = [Create(ROOT, "state", 1, "file"), Write(1, 0, b"old" * 500), Flush(1), Flush(ROOT)]
NEW = b"new" * 700


def states(operations: list[Operation]) -> list[dict[str, bytes]]:
    """Every state of every cut."""
    found = []
    for index in range(len(operations) + 1):
        disk = Disk()
        for operation in operations[:index]:
            disk.apply(operation)
        found += [{entry.path: entry.data for entry in disk.state(survivors)} for survivors in EVERY]
    return found


def after(operations: list[Operation]) -> list[dict[str, bytes]]:
    """Every state of a cut after the last operation."""
    disk = Disk()
    for operation in operations:
        disk.apply(operation)
    return [{entry.path: entry.data for entry in disk.state(survivors)} for survivors in EVERY]


ATOMIC: list[Operation] = [
    *BEGIN, Create(ROOT, ".new", 2, "file"), Write(2, 0, NEW), Flush(2), Rename(ROOT, ".new", ROOT, "state", 2), Flush(ROOT),
]  # fmt: skip


def test_right_writer_leaves_old_or_new() -> None:
    """Write beside, flush, rename, flush the folder."""
    assert {state.get("state") for state in states(ATOMIC)[len(BEGIN) * len(EVERY) :]} == {b"old" * 500, NEW}
    assert {state["state"] for state in after(ATOMIC)} == {NEW}


def test_rename_without_flush_is_caught() -> None:
    """The file has its new name, and a part of its bytes or none."""
    wrong = [operation for operation in ATOMIC if operation != Flush(2)]
    found = {state["state"] for state in after(wrong)}
    assert b"" in found
    assert any(0 < len(data) < len(NEW) and NEW.startswith(data) and len(data) % 512 == 0 for data in found), "torn"


def test_rename_without_flush_of_the_folder_is_caught() -> None:
    """The answer "done" was early: the old file is back."""
    assert {state["state"] for state in after(ATOMIC[:-1])} == {b"old" * 500, NEW}


def test_first_file_of_a_new_folder_needs_the_flush_of_both_folders() -> None:
    operations: list[Operation] = [Create(ROOT, "folder", 1, "folder"), Create(1, "file", 2, "file"), Write(2, 0, NEW), Flush(2)]
    assert {} in after([*operations, Flush(1)])
    assert {} in after([*operations, Flush(ROOT)]) or {"folder": b""} in after([*operations, Flush(ROOT)])
    assert after([*operations, Flush(1), Flush(ROOT)]) == [{"folder": b"", "folder/file": NEW}] * len(EVERY)


def test_flush_of_a_new_file_may_flush_its_names() -> None:
    """ext4, XFS and btrfs do so; the names of others stay open."""
    disk = Disk(names_of_flushed=True)
    for operation in (Create(ROOT, "a", 1, "folder"), Create(1, "x", 2, "file"), Create(ROOT, "y", 3, "file"), Flush(2)):
        disk.apply(operation)
    assert [entry.path for entry in disk.state(Survivors("none"))] == ["a", "a/x"]


def test_removed_file_may_be_back() -> None:
    found = after([*BEGIN, Unlink(ROOT, "state")])
    assert {} in found
    assert {"state": b"old" * 500} in found
    assert after([*BEGIN, Unlink(ROOT, "state"), Flush(ROOT)]) == [{}] * len(EVERY)


def test_writes_in_place_are_independent() -> None:
    """The second may be there without the first; lost bytes in between are zero."""
    found = {state["state"] for state in after([*BEGIN, Truncate(1, 0), Flush(1), Write(1, 0, b"one"), Write(1, 3, b"two")])}
    assert found == {b"", b"one", b"onetwo", b"\0\0\0two"}


def test_rename_between_folders_never_loses_the_file() -> None:
    operations: list[Operation] = [Create(ROOT, "a", 2, "folder"), Create(ROOT, "b", 3, "folder"), Flush(ROOT)]
    operations += [Create(2, "file", 4, "file"), Write(4, 0, NEW), Flush(4), Flush(2), Rename(2, "file", 3, "file", 4)]
    assert all(("a/file" in state) != ("b/file" in state) for state in after(operations))
    assert all("b/file" in state for state in after([*operations, Flush(3)]))


def test_flush_of_a_later_name_keeps_the_earlier_change_of_it() -> None:
    """`b/x` is made, then replaced by a rename from `a`: once `a` is flushed, the made one does not come back."""
    operations: list[Operation] = [Create(ROOT, "a", 1, "folder"), Create(ROOT, "b", 2, "folder"), Flush(ROOT)]
    operations += [Create(1, "x", 3, "file"), Write(3, 0, b"3"), Flush(3), Create(2, "x", 4, "file"), Rename(1, "x", 2, "x", 3)]
    assert all(state["b/x"] == b"3" for state in after([*operations, Flush(1)]))


@pytest.mark.parametrize("survivors", EVERY[:20])
def test_choice_is_repeatable(survivors: Survivors) -> None:
    disk = Disk()
    for operation in ATOMIC[:-2]:
        disk.apply(operation)
    assert list(disk.state(survivors)) == list(disk.state(survivors))
