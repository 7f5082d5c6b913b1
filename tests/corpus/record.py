"""Records the formats of the working tree: `python -m tests.corpus.record [--server] [FOLDER]`.

The same tree gives the same files: inputs, clock and identifiers are fixed. Only the server's part (database, data folder, calls
of the REST API) comes from a run of real processes and is other bytes each time; it is recorded with `--server` alone, and stays
as it is without. A version that was released is never recorded again.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.corpus import messages, options, packages, pipelines, server_data, state, structs
from tests.corpus.folder import HERE, ROOT, SUMS, sums_of, version_today

PARTS = (structs.record, messages.record, pipelines.record, options.record, packages.record, state.record)
"""Each writes its files into the folder of a version."""


def record(folder: Path, *, server: bool = False) -> None:
    """Write every part, and the list of sums."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name != server_data.FOLDER:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for part in PARTS:
        part(folder)
    if server:
        server_data.record(folder)
    (folder / SUMS).write_text(sums_of(folder), encoding="utf-8")


def is_released(version: str) -> bool:
    """Whether the repository has the tag of this version."""
    found = subprocess.run(["git", "tag", "--list", f"v{version}"], cwd=ROOT, capture_output=True, text=True)
    return bool(found.stdout.strip())


def main(arguments: list[str]) -> int:
    """Record into the folder of the working tree's version, or into another."""
    version, server = version_today(), "--server" in arguments
    arguments = [argument for argument in arguments if argument != "--server"]
    if not arguments and is_released(version):
        print(f"{version} is released: its corpus stays as it is; raise the version first", file=sys.stderr)
        return 1
    folder = Path(arguments[0]) if arguments else HERE / version
    record(folder, server=server)
    print(f"recorded {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
