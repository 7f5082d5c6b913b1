"""Records the formats of the working tree: `python -m tests.corpus.record [FOLDER]`.

The same tree gives the same files: inputs, clock and identifiers are fixed. A version that was released is never recorded again.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.corpus import messages, pipelines, state, structs
from tests.corpus.folder import HERE, ROOT, SUMS, sums_of, version_today

PARTS = (structs.record, messages.record, pipelines.record, state.record)
"""Each writes its files into the folder of a version."""


def record(folder: Path) -> None:
    """Write every part, and the list of sums."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for part in PARTS:
        part(folder)
    (folder / SUMS).write_text(sums_of(folder), encoding="utf-8")


def is_released(version: str) -> bool:
    """Whether the repository has the tag of this version."""
    found = subprocess.run(["git", "tag", "--list", f"v{version}"], cwd=ROOT, capture_output=True, text=True)
    return bool(found.stdout.strip())


def main(arguments: list[str]) -> int:
    """Record into the folder of the working tree's version, or into another."""
    version = version_today()
    if not arguments and is_released(version):
        print(f"{version} is released: its corpus stays as it is; raise the version first", file=sys.stderr)
        return 1
    folder = Path(arguments[0]) if arguments else HERE / version
    record(folder)
    print(f"recorded {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
