"""Builds a release into dist/VERSION: wheels, source distributions, Debian packages, container images, bills of materials,
documents, the changelog of the version, and checksums of all.

    make release                                             # .venv/bin/python -m tools.release
    make release ARGS=--twice                                # builds again elsewhere, and compares every byte
    make release ARGS="--locks ~/release-0.3.0/locks"        # with the libraries of an earlier build, from its commit

It builds from a clone of the last commit, and refuses uncommitted changes and a version without a section in CHANGELOG.md.
Exit status 1: something could not be built, or the second build differs.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.release.archives import SUMS, differences
from tools.release.checkout import Release, ReleaseError, clone, release_of
from tools.release.images import missing
from tools.release.steps import Choices, build_all, fault_of, step

ROOT = Path(__file__).resolve().parents[2]


def main(argv: list[str] | None = None) -> int:
    """Build a release, and print its folder; an error is one line."""
    parser = argparse.ArgumentParser(
        prog="release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: dist/VERSION")
    parser.add_argument("--twice", action="store_true", help="build again in another folder and compare every byte")
    parser.add_argument("--locks", type=Path, metavar="DIR", help="take the libraries that these locks name, not the newest")
    parser.add_argument("--no-images", action="store_true", help="build no container images")
    parser.add_argument("--compression", choices=["xz", "zstd", "none"], default="xz", help="of Debian packages (default: xz)")
    parser.add_argument("--in-clone", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    try:
        release = release_of(ROOT)
        if arguments.in_clone:
            choices = Choices(arguments.locks, not arguments.no_images, arguments.compression)
            build_all(release, arguments.out, choices)
            return 0
        if not arguments.no_images and (absent := missing()):
            raise ReleaseError(f"{absent[0]} is missing: apt-get install {' '.join(absent)}, or give --no-images")
        return _build(release, arguments)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
    except subprocess.CalledProcessError as error:
        print(f"release: {fault_of(error)}", file=sys.stderr)
    return 1


def _build(release: Release, arguments: argparse.Namespace) -> int:
    out = (arguments.out or ROOT / "dist" / release.version).absolute()
    with tempfile.TemporaryDirectory(prefix="edgefleet-release-") as name:
        first = Path(name) / "first"
        _in_clone(release, first, arguments.locks, arguments)
        if arguments.twice:
            second = Path(name) / "again" / "second"
            _in_clone(release, second, first / "out" / "locks", arguments)
            with step("comparison"):
                found = differences(first / "out", second / "out")
            if found:
                raise ReleaseError(f"{len(found)} files differ in the second build: {', '.join(found)}")
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(first / "out", out)
    if arguments.twice:
        print("built twice: every byte is equal", file=sys.stderr)
    print(out)
    return 0


def _in_clone(release: Release, folder: Path, locks: Path | None, arguments: argparse.Namespace) -> None:
    """Clone the commit into `folder`, and build there by the program of the clone, into `folder`/out."""
    print(f"edgefleet {release.version}, built in {folder}", file=sys.stderr, flush=True)
    folder.mkdir(parents=True)
    cloned = clone(release, folder / "source")
    command = [sys.executable, "-m", "tools.release", "--in-clone", "--out", str(folder / "out")]
    command += ["--locks", str(locks.absolute())] if locks is not None else []
    command += ["--compression", arguments.compression]
    command += ["--no-images"] if arguments.no_images else []
    done = subprocess.run(command, cwd=cloned.source, env=cloned.environment(), check=False)
    if done.returncode or not (folder / "out" / SUMS).is_file():
        raise ReleaseError("nothing was released; the lines above say why")


if __name__ == "__main__":
    sys.exit(main())
