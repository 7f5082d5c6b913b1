"""The disk after a power cut: what may be on it after a number of operations. Pure: no file is touched.

The model is what POSIX promises and what ext4, XFS and btrfs keep; it allows more than any of them does:

- Bytes of a file are safe once `fsync` or `fdatasync` of it has returned. Until then each write and each truncation is present,
  lost or torn, independently of all others: of a torn write the first sectors of 512 bytes are present. Lost bytes inside a
  longer file are zero.
- A name is safe once `fsync` of its folder has returned: creation, link, removal and rename each, also of folders. The flush of a
  file or folder does not flush its own name, unless `names_of_flushed`: ext4, XFS and btrfs do so for a new one, with the folders
  above it, and PostgreSQL relies on it (it flushes new files and databases, but not the folders that name them). Until then each
  change of names is present or lost: either independently of all others, or in the order of the journal, as ext4 does
  (`Survivors` chooses).
- A rename is atomic: the name is the old file or the new one, never none. Between two folders it is safe once one of them was
  flushed.
- What depends on a safe change is safe with it: earlier changes of the same name.
- Mode and owner are not modelled: the last ones hold.
- Flushed bytes stay as they are: no bit rot, and the disk does not lie about its flushes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tests.power_loss.operations import (
    ROOT,
    Attributes,
    Create,
    Flush,
    Link,
    Operation,
    Rename,
    Truncate,
    Unlink,
    Write,
)

SECTOR: Final = 512


@dataclass(slots=True)
class _Node:
    kind: str
    target: str = ""
    mode: int = 0o755
    owner: tuple[int, int] = (0, 0)
    data: bytearray = field(default_factory=bytearray)
    pending: list[Write | Truncate] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class _NameChange:
    """Names that change together: (folder, name, file or None)."""

    edits: tuple[tuple[int, str, int | None], ...]

    def keys(self) -> set[tuple[int, str]]:
        return {(folder, name) for folder, name, _ in self.edits}


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, folder or link of a state, by its path below the root."""

    path: str
    kind: str
    mode: int
    owner: tuple[int, int]
    data: bytes = b""
    target: str = ""


class Survivors:
    """Chooses what is left of the changes that were not flushed: `all`, `none`, or `some` of them by a seed."""

    def __init__(self, which: str, seed: int = 0) -> None:
        self._which = which
        self._seed = seed

    def __repr__(self) -> str:
        return f"{self._which} of the unflushed changes" + (f", seed {self._seed}" if self._which == "some" else "")

    def names(self, count: int) -> list[bool]:
        """For each change of names whether it is present."""
        if self._which != "some":
            return [self._which == "all"] * count
        chance = random.Random(f"{self._seed} names")
        if chance.random() < 0.5:
            journalled = chance.randint(0, count)
            return [number < journalled for number in range(count)]
        share = chance.random()
        return [chance.random() < share for _ in range(count)]

    def data(self, node: int, pending: list[Write | Truncate]) -> Iterator[Write | Truncate]:
        """The changes of a file that are present, torn ones shortened."""
        if self._which == "all":
            yield from pending
        if self._which != "some":
            return
        chance = random.Random(f"{self._seed} {node}")
        share = chance.choice((0.1, 0.5, 0.9))
        for change in pending:
            fate = chance.random()
            if fate < share:
                yield change
            elif fate < share + (1 - share) / 3 and isinstance(change, Write) and len(change.data) > SECTOR:
                sectors = chance.randrange(1, -(-len(change.data) // SECTOR))
                whole = SECTOR - change.offset % SECTOR + (sectors - 1) * SECTOR
                yield Write(change.node, change.offset, change.data[:whole])


class Disk:
    """A file system with what is safe and what is not. `apply` runs one operation; `state` is what a cut now may leave.
    `names_of_flushed`: the flush of a file or folder also flushes its unflushed name."""

    def __init__(self, *, names_of_flushed: bool = False) -> None:
        self._names_of_flushed = names_of_flushed
        self._nodes: dict[int, _Node] = {ROOT: _Node("folder")}
        self._changes: list[_NameChange] = []

    def apply(self, operation: Operation) -> None:
        """Run one operation."""
        match operation:
            case Write() | Truncate():
                self._nodes[operation.node].pending.append(operation)
            case Flush():
                self._flush(operation.node)
            case Create():
                self._nodes[operation.node] = _Node(operation.kind, operation.target)
                self._changes.append(_NameChange(((operation.folder, operation.name, operation.node),)))
            case Link():
                self._changes.append(_NameChange(((operation.folder, operation.name, operation.node),)))
            case Unlink():
                self._changes.append(_NameChange(((operation.folder, operation.name, None),)))
            case Rename():
                removal = (operation.folder, operation.name, None)
                self._changes.append(_NameChange((removal, (operation.into, operation.new_name, operation.node))))
            case Attributes():
                node = self._nodes[operation.node]
                node.mode, node.owner = operation.mode, (operation.uid, operation.gid)

    def _flush(self, number: int) -> None:
        node = self._nodes[number]
        for change in node.pending:
            _write(node.data, change)
        node.pending.clear()
        if node.kind != "folder" and not self._names_of_flushed:
            return
        safe: set[_NameChange] = set()
        needed: set[tuple[int, str]] = set()
        named = {number} if self._names_of_flushed else set()
        for change in reversed(self._changes):
            names_it = {folder for folder, _, child in change.edits if child in named}
            if names_it or any(folder == number for folder, _, _ in change.edits) or change.keys() & needed:
                safe.add(change)
                needed |= change.keys()
                named |= names_it
        for change in self._changes:
            if change in safe:
                _edit({folder: self._nodes[folder].names for folder, _, _ in change.edits}, change)
        self._changes = [change for change in self._changes if change not in safe]

    def state(self, survivors: Survivors, under: str = "") -> Iterator[Entry]:
        """The state of the disk after a cut: every folder before its contents. `under`: only paths that begin with this."""
        names = {number: dict(node.names) for number, node in self._nodes.items() if node.kind == "folder"}
        for present, change in zip(survivors.names(len(self._changes)), self._changes, strict=True):
            if present:
                _edit(names, change)
        yield from self._entries(ROOT, "", names, survivors, under)

    def _entries(
        self, folder: int, path: str, names: dict[int, dict[str, int]], survivors: Survivors, under: str
    ) -> Iterator[Entry]:
        for name, number in sorted(names[folder].items()):
            node, place = self._nodes[number], f"{path}{name}"
            if not (place.startswith(under) or under.startswith(f"{place}/")):
                continue
            data = b""
            if node.kind == "file":
                content = bytearray(node.data)
                for change in survivors.data(number, node.pending):
                    _write(content, change)
                data = bytes(content)
            yield Entry(place, node.kind, node.mode, node.owner, data, node.target)
            if node.kind == "folder":
                yield from self._entries(number, f"{place}/", names, survivors, under)


def _edit(names: dict[int, dict[str, int]], change: _NameChange) -> None:
    for folder, name, node in change.edits:
        if node is None:
            names[folder].pop(name, None)
        else:
            names[folder][name] = node


def _write(data: bytearray, change: Write | Truncate) -> None:
    if isinstance(change, Truncate):
        del data[change.length :]
        data.extend(bytes(change.length - len(data)))
        return
    if change.offset > len(data):
        data.extend(bytes(change.offset - len(data)))
    data[change.offset : change.offset + len(change.data)] = change.data
