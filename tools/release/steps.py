"""The steps of a build in their order, each into the folder of the release; a line with its seconds for each."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deploy.build_deb import Kind, build, compile_site, unpack_wheels
from tools import build_site
from tools.release import images, sbom
from tools.release.archives import pack, write_sums
from tools.release.checkout import Release, ReleaseError, changelog_section, run
from tools.release.distributions import INSTALLATIONS, PYTHON, Installation, build_distributions, gather, lock


@contextlib.contextmanager
def step(text: str) -> Iterator[None]:
    """Print what is done, and its seconds when it is done."""
    start = time.monotonic()
    yield
    print(f"  {time.monotonic() - start:6.1f} s  {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices of a build. locks: folder of an earlier build, for the same libraries. compression: of Debian packages."""

    locks: Path | None = None
    with_images: bool = True
    compression: str = "xz"


def build_all(release: Release, out: Path, choices: Choices) -> None:
    """Build everything into `out`."""
    out.mkdir(parents=True)
    dashboard = release.source / "fleet_server" / "hatch_build.py"
    with step("dashboard"):
        run([sys.executable, str(dashboard)], release)
    with step("wheels and source distributions"):
        build_distributions(release, out)
    with tempfile.TemporaryDirectory() as name:
        houses = {each: Path(name) / each.name for each in INSTALLATIONS}
        for installation, wheelhouse in houses.items():
            _installation(release, installation, wheelhouse, out, choices)
        with step("bill of materials of the dashboard"):
            bill = sbom.of_dashboard(release, _npm(dashboard))
            (out / "sbom" / "edgefleet-dashboard.cdx.json").write_text(bill, encoding="utf-8")
        with step("documents"):
            _documents(release, Path(name) / "site", out)
        (out / "CHANGELOG.md").write_text(changelog_section(release.source, release.version), encoding="utf-8")
        shutil.copyfile(release.source / "deploy" / "install-agent.sh", out / "install-agent.sh")
        for installation, wheelhouse in houses.items() if choices.with_images else ():
            if installation.arch == "amd64":
                with step(f"container image of {installation.name}"):
                    images.build_image(release, installation, wheelhouse, out / "oci")
    write_sums(out)


def _installation(release: Release, installation: Installation, wheelhouse: Path, out: Path, choices: Choices) -> None:
    """Gather the wheels of an installation; write their lock, their bill of materials and, of the agent, the Debian package."""
    with step(f"libraries of {installation.name}"):
        gather(release, installation, out, wheelhouse, choices.locks)
        for folder, file, text in (
            ("locks", f"{installation.name}.txt", lock(installation, wheelhouse)),
            ("sbom", f"{installation.name}.cdx.json", sbom.of_installation(release, installation, wheelhouse)),
        ):
            (out / folder).mkdir(exist_ok=True)
            (out / folder / file).write_text(text, encoding="utf-8")
    if installation.program != "edgefleet-agent":
        return
    with step(f"Debian package of {installation.name}"), tempfile.TemporaryDirectory() as name:
        kind, site = Kind(release.version, installation.arch, PYTHON), Path(name) / "site"
        unpack_wheels(wheelhouse, site)
        compile_site(kind, site)
        build(kind, site, out, choices.compression)


def _documents(release: Release, folder: Path, out: Path) -> None:
    if faults := build_site.build(folder):
        raise ReleaseError(f"the site of documents: {faults[0]}: see `make docs`")
    top = f"edgefleet-documents-{release.version}"
    pack(folder / "html", out / f"{top}.tar.gz", release.epoch_s, top)


def _npm(dashboard: Path) -> list[str]:
    """The Node.js that has built the dashboard, and its npm."""
    spec = importlib.util.spec_from_file_location("hatch_build", dashboard)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    node = module.find_node(dashboard.parents[1] / ".cache" / "node")
    if node is None:
        raise ReleaseError("Node.js is missing: `make setup`")
    return [str(node.node), str(node.npm_cli)]


def fault_of(error: subprocess.CalledProcessError) -> str:
    """One line about a program that failed after it had printed why."""
    return f"{Path(str(error.cmd[0])).name} ended with {error.returncode}; the lines above say why"
