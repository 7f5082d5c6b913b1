"""Wheels and source distributions; and for each program the wheels that a locked installation consists of."""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name, parse_wheel_filename

from deploy.build_deb import Kind, fetch_needed
from tools.release.archives import sha256
from tools.release.checkout import PROJECTS, Release, ReleaseError, run

PYTHON = "3.11"
"""Python of Debian 12, for which Debian packages and images are built."""


@dataclass(frozen=True, slots=True)
class Installation:
    """A program as it is installed on a machine. distributions: our own. extras: of the program's distribution."""

    program: str
    arch: str
    distributions: tuple[str, ...]
    extras: str
    entry: str

    @property
    def name(self) -> str:
        return f"{self.distributions[-1].replace('_', '-')}-{self.arch}-py{PYTHON.replace('.', '')}"


INSTALLATIONS = (
    Installation("edgefleet-agent", "amd64", ("edgefleet_contract", "edgefleet_agent"), "litert,onnx", "edgefleet_agent"),
    Installation("edgefleet-agent", "arm64", ("edgefleet_contract", "edgefleet_agent"), "litert,onnx", "edgefleet_agent"),
    Installation(
        "edgefleet", "amd64", ("edgefleet_contract", "edgefleet_client", "edgefleet_server"), "postgresql", "edgefleet_server"
    ),
)


def build_distributions(release: Release, out: Path) -> None:
    """Build the wheel and the source distribution of every project, with this environment's hatchling."""
    for project in PROJECTS:
        run([sys.executable, "-m", "hatchling", "build", "--directory", str(out)], release, release.source / project)


def gather(release: Release, installation: Installation, built: Path, wheelhouse: Path, locks: Path | None) -> None:
    """Put our own wheels from `built` and all that they need into `wheelhouse`. locks: of an earlier build, to be followed."""
    wheelhouse.mkdir(parents=True)
    for name in installation.distributions:
        (wheel,) = built.glob(f"{name}-*.whl")
        shutil.copy(wheel, wheelhouse)
    own = next(wheelhouse.glob(f"{installation.distributions[-1]}-*.whl"))
    kind = Kind(release.version, installation.arch, PYTHON)
    locked = [] if locks is None else _rows((locks / f"{installation.name}.txt").read_text(encoding="utf-8"))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        constraints.writelines(f"{row.split(' ')[0]}\n" for row in locked if not row.startswith("edgefleet-"))
        constraints.flush()
        fetch_needed(kind, f"{own}[{installation.extras}]", wheelhouse, Path(constraints.name) if locked else None)
    found = _rows(lock(installation, wheelhouse))
    if locked and (changed := sorted(set(locked) ^ set(found))):
        raise ReleaseError(
            f"{installation.name}.txt: {changed[0].split(' ')[0]} is not what the lock has: build from its own commit"
        )


def lock(installation: Installation, wheelhouse: Path) -> str:
    """The requirements file of exactly these wheels."""
    rows = []
    for wheel in wheelhouse.glob("*.whl"):
        name, version, _, _ = parse_wheel_filename(wheel.name)
        rows.append(f"{canonicalize_name(name)}=={version} --hash=sha256:{sha256(wheel)}\n")
    head = f"# pip install --require-hashes --find-links .. -r {installation.name}.txt (Python {PYTHON}, {installation.arch})\n"
    return head + "".join(sorted(rows))


def _rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]
