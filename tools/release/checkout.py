"""The checkout that a release is built from: its version, its time, its section of the changelog, and what forbids a release."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

PROJECTS = ("contract", "client", "agent", "fleet_server", ".")
"""Folders of the distributions; each needs only those before it."""


class ReleaseError(Exception):
    """No release can be built; the text is one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Release:
    """A version to build. source: folder of a checkout. epoch_s: time of its last commit, that every file in an archive has."""

    source: Path
    version: str
    epoch_s: int

    def environment(self) -> dict[str, str]:
        """Environment of the programs that build: the time of the commit, the sources of the checkout, one language."""
        sources = os.pathsep.join(str(self.source / name) for name in (".", *PROJECTS[:-1]))
        fixed = {
            "SOURCE_DATE_EPOCH": str(self.epoch_s),
            "PYTHONPATH": sources,
            "PYTHONHASHSEED": "0",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
        return {**os.environ, **fixed}


def release_of(source: Path) -> Release:
    """The version of a checkout.

    Raises:
        ReleaseError: it is no checkout, or has uncommitted changes, several versions or no section in the changelog.
    """
    changed = git(source, "status", "--porcelain").splitlines()
    if changed:
        raise ReleaseError(f"{changed[0][3:]} and {len(changed) - 1} more are not committed: commit or stash them")
    versions = {name: version_in(source / name / "pyproject.toml") for name in PROJECTS}
    version = versions["."]
    if other := next((name for name in PROJECTS if versions[name] != version), None):
        raise ReleaseError(f"{other}/pyproject.toml has version {versions[other]}, pyproject.toml {version}: give all the same")
    changelog_section(source, version)
    return Release(source, version, int(git(source, "log", "-1", "--format=%ct")))


def version_in(project: Path) -> str:
    """The version that a pyproject.toml names."""
    found = re.search(r'^version = "([^"]+)"$', project.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise ReleaseError(f"{project} names no version: add it")
    return found[1]


def changelog_section(source: Path, version: str) -> str:
    """The changelog's section of a version, with its heading."""
    text = (source / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise ReleaseError(f"CHANGELOG.md has no section for {version}: write what changes for users under `## {version}`")
    return f"# edgefleet {version}\n\n{found[1].strip()}\n"


def clone(release: Release, folder: Path) -> Release:
    """The commit of a release, alone, in a new folder: nothing that git ignores or does not know gets into a release."""
    git(release.source, "clone", "--quiet", "--no-hardlinks", "--depth=1", release.source.as_uri(), str(folder))
    return Release(folder, release.version, release.epoch_s)


def git(folder: Path, *arguments: str) -> str:
    """Output of a git command."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]}: {done.stderr.strip() or 'failed'}: run this in a git checkout of edgefleet")
    return done.stdout


def run(command: list[str], release: Release, folder: Path | None = None) -> str:
    """Run a program that builds, and return what it prints.

    Raises:
        ReleaseError: the program is missing or failed; the text has its last line.
    """
    try:
        done = subprocess.run(
            command, cwd=folder or release.source, env=release.environment(), capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise ReleaseError(f"{command[0]} is missing: `make setup`, or apt-get install {command[0]}") from None
    if done.returncode:
        lines = [line for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
        raise ReleaseError(
            f"{' '.join(command[:4])} … ended with {done.returncode}: {lines[-1] if lines else 'it printed nothing'}"
        )
    return done.stdout
