"""Disks that power cuts leave, as folders."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.power_loss.disk import Disk, Entry, Survivors
from tests.power_loss.operations import Operation


@dataclass(frozen=True, slots=True)
class Cut:
    """A power cut after `index` operations. `survivors`: what is left of the unflushed ones."""

    index: int
    survivors: Survivors

    def __str__(self) -> str:
        return f"after operation {self.index}, {self.survivors!r}"


def replay(
    operations: Iterable[Operation], cuts: Iterable[Cut], into: Path, under: str = "", *, names_of_flushed: bool = False
) -> Iterator[Cut]:
    """Build the disk of each cut in the folder `into`, one after the other in the order of the operations. `under`: only paths
    that begin with this; `names_of_flushed`: see `Disk`."""
    disk, done = Disk(names_of_flushed=names_of_flushed), 0
    coming = iter(operations)
    for cut in sorted(cuts, key=lambda cut: cut.index):
        for operation in coming if cut.index > done else ():
            disk.apply(operation)
            done += 1
            if done == cut.index:
                break
        shutil.rmtree(into, ignore_errors=True)
        build(disk.state(cut.survivors, under), into)
        yield cut


def build(entries: Iterable[Entry], into: Path) -> None:
    """Write a state to a new folder."""
    into.mkdir()
    for entry in entries:
        place = into / entry.path
        if entry.kind == "folder":
            place.mkdir()
        elif entry.kind == "link":
            place.symlink_to(entry.target)
            continue
        else:
            place.write_bytes(entry.data)
        os.chown(place, *entry.owner)
        place.chmod(entry.mode)
