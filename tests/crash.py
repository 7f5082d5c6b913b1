"""Kills a process at every change of the disk in turn: each open for writing, flush, rename, link, unlink and publish of a story
is a point with a name.

A child process runs the story until the n-th point and is killed there (SIGKILL) before it happens; the parent then checks
the disk: as the kernel has it, and as a power cut would leave it (`tests.powercut`). `python -m tests.crash FILE`
writes the whole matrix as a table.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.powercut import LOSSES, SYNC_EVENT, Shim, rebuild

CHANGES = {"os.rename", "os.link", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", SYNC_EVENT}
WRITING = os.O_WRONLY | os.O_RDWR
PUBLISH_EVENT = "crash.publish"
"""Audit event that a story raises before it publishes, with the topic."""

KILLED = "nothing"
END = "the end"
DONE_FILE = "done"
"""Name of the file beside the folder of a story, with what it has sent as done."""

ABOUT = """
The process is killed (SIGKILL) before each single change of the disk, each flush and each message that it publishes. Then the
laws are looked up on the disk, and a new life brings the story to its end: once on the disk as the kernel has it (the process
died), and twice as a power cut may leave it. *Names and data*: nothing is there that was not flushed by fsync, new names,
renames and deletions included. *Data*: names are as they were last, and of each file only what was flushed. Every message that
the story had sent as done must be true on the disk every time.

One row a point; *times*: how often the story passes it; each is three cells. *write* is the opening of a file for writing: what
is written into it later counts as lost until its flush. Deltas and HTTPS go through the same store and slots, and have no story
of their own. Made by `python -m tests.crash docs/crash-matrix.md`. The quick tests run each row at least once in each step of a
story, and a part of the power cuts (all cells: `python -m pytest -m long tests/long/test_crash_matrix.py`). SQLite flushes by
itself; its files (`outbox.db`) are taken as they are.
""".strip().splitlines()

_NAMES = (
    (re.compile(r"[0-9a-f]{64}"), "DIGEST"),
    (re.compile(r"(?<![A-Za-z0-9])[0-9]+\.(?=(root|targets|snapshot)\.json)"), "N."),
    (re.compile(r"tmp[a-z0-9_]{8}"), "TMP"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One death: before what, what was lost of the disk, and the folder that is left."""

    point: str
    lost: str
    root: Path


@dataclass(frozen=True, slots=True)
class Point:
    """A place where a story may die. `done`: how many results it had sent as done by then."""

    name: str
    done: int


def points(folder: Path, story: Callable[[Path], None]) -> list[Point]:
    """The points of a story in their order, from a run that is not killed; the last is `the end`."""
    root = folder / "whole"
    root.mkdir()
    lines = _run_until(0, root, folder / "notes", story).splitlines()
    for leftover in (root, folder / "notes"):
        shutil.rmtree(leftover)
    done = len(done_notes(root))
    root.with_name(DONE_FILE).unlink(missing_ok=True)
    found = [Point(name, int(number)) for number, _, name in (line.partition(" ") for line in lines)]
    return [*found, Point(END, done)]


def cover(found: list[Point]) -> list[int]:
    """Numbers (from 1) of the points that cover every pair of a name and a step of the story: the first point of each."""
    first: dict[Point, int] = {}
    for number, point in enumerate(found, 1):
        first.setdefault(point, number)
    return sorted(first.values())


def cells(
    folder: Path, story: Callable[[Path], None], numbers: Iterable[int], losses: Callable[[int], tuple[str, ...]] = lambda _: ()
) -> Iterator[Cell]:
    """A cell for each point of `numbers`, and more for what a power cut loses there besides (`losses`, by the point's number).

    A cell's folder is only good until the next one.
    """
    for number in numbers:
        root, notes = folder / "cell", folder / "notes"
        root.mkdir()
        point = _run_until(number, root, notes, story) or END
        saved = folder / "kept"
        power_cuts = losses(number)
        if power_cuts:
            root.rename(saved)
            shutil.copytree(saved, root, symlinks=True)
        yield Cell(point, KILLED, root)
        for loss in power_cuts:
            shutil.rmtree(root)
            rebuild(saved, notes, loss, root)
            yield Cell(point, loss, root)
        for leftover in (root, saved, notes):
            shutil.rmtree(leftover, ignore_errors=True)
        root.with_name(DONE_FILE).unlink(missing_ok=True)


def check_cover(folder: Path, story: Callable[[Path], None], check: Callable[[Path], None], power_cuts: int) -> list[str]:
    """Check the laws in the cells of the cover of `story`, with both power cuts at `power_cuts` of its points; the names of the
    points. All cells: `tests/long/test_crash_matrix.py`."""
    found = points(folder, story)
    chosen = cover(found)
    step = max(1, len(chosen) // power_cuts)
    cut = set(chosen[::step])
    seen = []
    for cell in cells(folder, story, chosen, lambda number: LOSSES if number in cut else ()):
        check(cell.root)
        seen.append(cell.point)
    assert set(seen) == {point.name for point in found}, "a story runs the same way every time"
    return seen


def note_done(root: Path, word: str) -> None:
    """Record that `word` was sent to the outside as done: from now on the disk must have it."""
    with root.with_name(DONE_FILE).open("a") as file:
        file.write(f"{word}\n")


def done_notes(root: Path) -> list[str]:
    """Words that the story has sent as done."""
    path = root.with_name(DONE_FILE)
    return path.read_text().split() if path.exists() else []


def _run_until(number: int, root: Path, notes: Path, story: Callable[[Path], None]) -> str:
    """Run the story in a child that dies at its point `number`; returns the point's name, "" if the story came to its end. 0: no
    point; returns a line `DONE NAME` for each instead."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        count = done = 0

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal count, done
            writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
            if not (writes or event in CHANGES or event == PUBLISH_EVENT):
                return
            place = _place(event, arguments)
            if event == PUBLISH_EVENT or f"{place}/".startswith(f"{root}/"):
                count += 1
                if not number:
                    os.write(writer, f"{done} {_named(event, place, root)}\n".encode())
                elif count == number:
                    os.write(writer, _named(event, place, root).encode())
                    os.kill(os.getpid(), signal.SIGKILL)
            elif place == str(root.with_name(DONE_FILE)):
                done += 1

        Shim(root, notes).install()
        sys.addaudithook(hook)
        try:
            story(root)
        finally:
            os._exit(0 if sys.exc_info()[0] is None else 1)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        names = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the story failed by itself"
    return names


def _place(event: str, arguments: tuple[object, ...]) -> str:
    """The path; what is deleted is named below an open folder (`shutil.rmtree`)."""
    path = str(arguments[0])
    if event in ("os.remove", "os.rmdir") and isinstance(arguments[1], int) and arguments[1] >= 0:
        return str(Path(f"/proc/self/fd/{arguments[1]}").readlink() / path)
    return path


def _named(event: str, path: str, root: Path) -> str:
    place = path.removeprefix(f"{root}").removeprefix("/") or "."
    for pattern, name in _NAMES:
        place = pattern.sub(name, place)
    verbs = {"open": "write", "os.remove": "delete", "os.rmdir": "delete", SYNC_EVENT: "flush", PUBLISH_EVENT: "publish"}
    return f"{verbs.get(event, event.removeprefix('os.'))} {place}"


def main(file: Path) -> None:
    """Run every cell and write the matrix."""
    from tests.agent.service.test_crash_identity import STORIES, memory
    from tests.agent.updates import test_crash_bundle as bundle
    from tests.agent.updates import test_crash_matrix as update
    from tests.agent.updates import test_crash_self_update as own
    from tests.agent.updates import test_crash_usb as stick

    lines = ["# Crash matrix", "", *ABOUT]
    with memory() as folder:
        factory = update.FACTORY.write(folder / "factory")

        def check(root: Path) -> None:
            update.continues(root, factory, update.check_laws_on_disk(root))

        every = {
            "An update, good and bad (device)": (lambda root: update.live(root, factory), check),
            "A package from a stick (device)": stick.story(folder),
            "Two packages together, good and bad (device)": bundle.story(folder),
            "Updates of the agent itself, good and bad (device)": own.STORY,
            **STORIES,
        }
        for number, (title, (story, check)) in enumerate(every.items()):
            place = folder / str(number)
            place.mkdir()
            times: dict[str, int] = {}
            count = 0
            for cell in cells(place, story, range(1, len(points(place, story)) + 1), lambda _: LOSSES):
                check(cell.root)
                count += 1
                times[cell.point] = times.get(cell.point, 0) + (cell.lost == KILLED)
            lines += [
                "",
                f"## {title}: {count} cells, no law broken",
                "",
                "| killed before | times |",
                "| --- | --- |",
            ]
            lines += [f"| `{name}` | {number} |" for name, number in times.items()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
