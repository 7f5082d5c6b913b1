"""Dies at every change of the disk in turn: each open for writing, rename, link, unlink of a story is a point with a name.

A child process tells the story until the n-th change and is killed there (SIGKILL) before the change is made; the parent then
looks at what lies on the disk. `python -m tests.crash FILE` writes the whole matrix as a table.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

CHANGES = {"os.rename", "os.link", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod"}
WRITING = os.O_WRONLY | os.O_RDWR

ABOUT = (
    "The process is killed (SIGKILL) before each single change of the disk, then the laws are looked up on the disk, and a new",
    "life brings the story to its end. One row a point; *times*: how often the story passes it, each a cell of its own.",
    "Made by `python -m tests.crash docs/crash-matrix.md`; the tests run the cells. What a power cut takes of writes that were",
    "not flushed is not in this matrix: SIGKILL leaves the kernel's memory as it is.",
)

_NAMES = (
    (re.compile(r"[0-9a-f]{64}"), "DIGEST"),
    (re.compile(r"(?<![A-Za-z0-9])[0-9]+\.(?=(root|targets|snapshot)\.json)"), "N."),
    (re.compile(r"tmp[a-z0-9_]{8}"), "TMP"),
)


def cells(folder: Path, story: Callable[[Path], None]) -> Iterator[tuple[str, Path]]:
    """(name of the point where `story` died, the folder it left behind), for each point; the last one is `the end`."""
    number = 0
    name = ""
    while name != "the end":
        number += 1
        root = folder / f"cell-{number}"
        root.mkdir()
        name = _die_at(number, root, story)
        yield name, root


def _die_at(number: int, root: Path, story: Callable[[Path], None]) -> str:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        count = 0

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal count
            writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
            if (writes or event in CHANGES) and str(arguments[0]).startswith(f"{root}/"):
                count += 1
                if count == number:
                    os.write(writer, _named(event, str(arguments[0]), root).encode())
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        try:
            story(root)
        finally:
            os._exit(0 if sys.exc_info()[0] is None else 1)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as pipe:
        name = pipe.read().decode()
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the story failed by itself"
    return name or "the end"


def _named(event: str, path: str, root: Path) -> str:
    place = path.removeprefix(f"{root}/")
    for pattern, name in _NAMES:
        place = pattern.sub(name, place)
    verb = {"open": "write", "os.remove": "delete", "os.rmdir": "delete"}.get(event, event.removeprefix("os."))
    return f"{verb} {place}"


def main(file: Path) -> None:
    """Run every cell and write the matrix."""
    from tests.agent.reconcile import test_crash_matrix as update
    from tests.test_crash_identity import STORIES, memory

    lines = ["# Crash matrix", "", *ABOUT]
    with memory() as folder:
        factory = update.FACTORY.write(folder / "factory")

        def look(root: Path) -> None:
            update.goes_on(root, factory, update.check_laws_on_disk(root))

        every = {"An update, good and bad (device)": (lambda root: update.live(root, factory), look), **STORIES}
        for number, (title, (story, check)) in enumerate(every.items()):
            place = folder / str(number)
            place.mkdir()
            points: dict[str, int] = {}
            for name, root in cells(place, story):
                check(root)
                points[name] = points.get(name, 0) + 1
            lines += [
                "",
                f"## {title}: {sum(points.values())} cells, no law broken",
                "",
                "| killed before | times |",
                "| --- | --- |",
            ]
            lines += [f"| `{name}` | {times} |" for name, times in points.items()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
