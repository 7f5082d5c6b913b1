"""Makes edgefleet-agent_VERSION_ARCH.deb: the agent with everything it needs in an environment of its own under /opt/edgefleet.

    python deploy/build_deb.py                       # Debian 12 (Python 3.11), this machine's architecture, into dist/
    python deploy/build_deb.py --arch arm64 --python 3.11 --extras litert,onnx
    python deploy/build_deb.py --update dist          # and dist/edgefleet-agent/VERSION, for `edgefleet model push`

Wheels are fetched once into `--wheelhouse` (built here where there is none) and unpacked into the package: installing it asks no
network, and dpkg knows every file. The agent and the contract are in it, and nothing of the server.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
HOME = "opt/edgefleet"
ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}
GLIBC = range(17, 37)
"""Minor versions of glibc 2 whose manylinux wheels Debian 12 can run."""
NOT_FOR_DEVICES = ("edgefleet_*.dist-info/direct_url.json", "bin")
DISTRIBUTIONS = ("contract", "agent")
ENTRY_FILE = "entry"
ENTRY = "edgefleet_agent"
"""What `python -m` starts: an archive names it in a file, so that launchers of other versions need not know it."""

MANIFEST = """\
name = "edgefleet-agent"
version = "{version}"
task = "agent"
title = "The agent itself"

[head]
family = "agent"

[[variants]]
name = "{tag}"
format = "agent"
files = ["{tag}.zip"]
runtimes = ["{tag}"]
"""

COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/edgefleet-agent",
    "zsh": "usr/share/zsh/vendor-completions/_edgefleet-agent",
    "fish": "usr/share/fish/vendor_completions.d/edgefleet-agent.fish",
}
"""Where the shells of Debian look for the completion of a program."""

LAUNCHER = """#!/bin/sh
exec /opt/edgefleet/bin/python -I -m {entry} "$@"
"""
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


@dataclass(frozen=True, slots=True)
class Kind:
    """The target of a package: version of the agent, architecture and Python version."""

    version: str
    arch: str
    python: str

    @property
    def file(self) -> str:
        return f"edgefleet-agent_{self.version}_{self.arch}.deb"


def fetch_wheels(kind: Kind, extras: str, wheelhouse: Path) -> None:
    """Fill `wheelhouse` with our own wheels and what the agent needs. Asks the network, unless every wheel is there already."""
    wheelhouse.mkdir(parents=True, exist_ok=True)
    for old in wheelhouse.glob("edgefleet*.whl"):
        old.unlink()
    sources = [str(ROOT / name) for name in DISTRIBUTIONS]
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", str(wheelhouse), *sources], check=True)
    own = next(wheelhouse.glob("edgefleet_agent-*.whl"))
    fetch_needed(kind, f"{own}[{extras}]" if extras else str(own), wheelhouse)


def fetch_needed(kind: Kind, wheel: str, wheelhouse: Path, constraints: Path | None = None) -> None:
    """Add what `wheel`, a file with its extras, needs on a device of this kind. Wheels that are in `wheelhouse` are taken, and
    the versions of the file `constraints`."""
    machine = ARCHITECTURES[kind.arch]
    target = ["--only-binary", ":all:", "--implementation", "cp", "--python-version", kind.python]
    for minor in GLIBC:
        target += ["--platform", f"manylinux_2_{minor}_{machine}"]
    target += ["--platform", f"manylinux2014_{machine}"]
    if constraints is not None:
        target += ["--constraint", str(constraints)]
    subprocess.run([*PIP, "download", *target, "--find-links", str(wheelhouse), "--dest", str(wheelhouse), wheel], check=True)


def unpack_wheels(wheelhouse: Path, site: Path, entry: str = ENTRY) -> None:
    """Every wheel's files into one `site-packages`; a wheel is a zip whose purelib and platlib are its root. entry: what
    `python -m` starts."""
    for wheel in sorted(wheelhouse.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
    for data in site.glob("*.data"):
        for part in ("purelib", "platlib"):
            if (data / part).is_dir():
                shutil.copytree(data / part, site, dirs_exist_ok=True)
        shutil.rmtree(data)
    for pattern in NOT_FOR_DEVICES:
        for found in site.glob(pattern):
            shutil.rmtree(found) if found.is_dir() else found.unlink()
    (site / ENTRY_FILE).write_text(f"{entry}\n", encoding="ascii")


def lay_out_environment(kind: Kind, site: Path, home: Path, entry: str, program: str) -> None:
    """Make a virtual environment in `home`, /opt/edgefleet of a device: `site` moved into it, Debian's Python, a launcher."""
    lib = home / "lib" / f"python{kind.python}"
    lib.mkdir(parents=True)
    shutil.move(site, lib / "site-packages")
    (home / "bin").mkdir()
    # What makes a folder a virtual environment: this file above a link to the interpreter.
    (home / "pyvenv.cfg").write_text(f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {kind.python}\n")
    (home / "bin" / "python").symlink_to(f"/usr/bin/python{kind.python}")
    _write(home / "bin" / program, LAUNCHER.format(entry=entry), 0o755)


def lay_out(kind: Kind, site: Path, tree: Path) -> None:
    """The package's files under `tree`, `site` moved into its environment."""
    lay_out_environment(kind, site, tree / HOME, ENTRY, "edgefleet-agent")
    (tree / "usr" / "bin").mkdir(parents=True)
    (tree / "usr" / "bin" / "edgefleet-agent").symlink_to("/opt/edgefleet/bin/edgefleet-agent")
    for source, place in (
        (DEPLOY / "edgefleet-agent.service", "lib/systemd/system/edgefleet-agent.service"),
        (DEPLOY / "debian" / "60-edgefleet.rules", "lib/udev/rules.d/60-edgefleet.rules"),
        (DEPLOY / "debian" / "edgefleet-agent.sysusers", "usr/lib/sysusers.d/edgefleet-agent.conf"),
        (ROOT / "LICENSE", "usr/share/doc/edgefleet-agent/copyright"),
    ):
        _write(tree / place, source.read_text(encoding="utf-8"), 0o644)
    for shell, place in COMPLETIONS.items():
        _write(tree / place, completion(shell), 0o644)


def completion(shell: str) -> str:
    """The completion script of the agent of this checkout.

    Raises:
        SystemExit: this environment cannot run the agent.
    """
    sources = os.pathsep.join([*(str(ROOT / name) for name in DISTRIBUTIONS), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", ENTRY, "completion", shell]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": sources})
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2]
        raise SystemExit(f"build_deb: the agent does not start here ({reason}): run this with the Python of `make setup`")
    return done.stdout


def control(kind: Kind, installed_kib: int) -> str:
    """The text of DEBIAN/control."""
    newer = f"3.{int(kind.python.split('.')[1]) + 1}"
    return (
        f"Package: edgefleet-agent\nVersion: {kind.version}\nArchitecture: {kind.arch}\nInstalled-Size: {installed_kib}\n"
        f"Depends: python3 (>= {kind.python}), python3 (<< {newer}), systemd\n"
        "Recommends: udev\nSection: net\nPriority: optional\nMaintainer: edgefleet <edgefleet@localhost>\n"
        "Description: quantized models on cameras and sensors, updated over MQTT\n"
        " The agent runs pipelines on this device, works on without a network, and takes signed\n"
        " updates from its fleet server: tried first, and rolled back when they fail.\n"
    )


def compile_site(kind: Kind, site: Path) -> None:
    """Bytecode, where this is the device's Python: the agent's user may not write there. Else the installation makes it."""
    if kind.python == f"{sys.version_info.major}.{sys.version_info.minor}":
        # One process, one seed: which strings a process has seen, and the order of sets, are in the bytecode.
        mode = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "-s", str(site)]
        seed = {**os.environ, "PYTHONHASHSEED": "0"}
        place = f"/{HOME}/lib/python{kind.python}/site-packages"
        subprocess.run(
            [sys.executable, *mode, "-p", place, str(site)], check=False, env=seed
        )  # some libraries carry files of Python 2


def build(kind: Kind, site: Path, out: Path, compression: str = "xz") -> Path:
    """The .deb from a folder `site` of unpacked wheels (moved away); its path."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        tree.mkdir(mode=0o755)
        lay_out(kind, site, tree)
        set_modes(tree)
        size_kib = sum(path.lstat().st_size for path in tree.rglob("*") if not path.is_dir()) // 1024
        _write(tree / "DEBIAN" / "control", control(kind, size_kib), 0o644)
        for script in ("postinst", "prerm", "postrm"):
            _write(tree / "DEBIAN" / script, (DEPLOY / "debian" / script).read_text(encoding="utf-8"), 0o755)
        (tree / "DEBIAN").chmod(0o755)
        level = ["-z3"] if compression == "xz" else []
        packing = ["dpkg-deb", "--root-owner-group", f"-Z{compression}", *level, "--build", str(tree), str(out / kind.file)]
        subprocess.run(packing, check=True, stdout=subprocess.DEVNULL)
    return out / kind.file


def set_modes(tree: Path) -> None:
    """Modes of every file and folder, whatever umask this ran under."""
    for folder, _, files in os.walk(tree):
        Path(folder).chmod(0o755)
        for file in files:
            path = Path(folder) / file
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def pack_update(kind: Kind, site: Path, out: Path) -> Path:
    """A package for `edgefleet model push`, by which installed agents update themselves; its folder."""
    folder = out / "edgefleet-agent" / kind.version
    folder.mkdir(parents=True)
    tag = f"agent-cp{kind.python.replace('.', '')}-{ARCHITECTURES[kind.arch]}"
    with zipfile.ZipFile(folder / f"{tag}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(site.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(site).as_posix())
    _write(folder / "model.toml", MANIFEST.format(version=kind.version, tag=tag), 0o644)
    return folder


def _write(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def own_version() -> str:
    """The project's version."""
    found = re.search(r'^version = "([^"]+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, "pyproject.toml names a version"
    return found[1]


def main() -> None:
    """Fetch, unpack, build."""
    here = {machine: arch for arch, machine in ARCHITECTURES.items()}.get(platform.machine(), "amd64")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", choices=sorted(ARCHITECTURES), default=here)
    parser.add_argument("--python", default="3.11", metavar="3.N", help="of the device; Debian 12 has %(default)s")
    parser.add_argument("--extras", default="litert,onnx", help="runtimes to put in (default: %(default)s)")
    parser.add_argument("--version", default=own_version(), help="default: the project's, %(default)s")
    parser.add_argument("--wheelhouse", type=Path, default=ROOT / "build" / "wheelhouse", metavar="DIR")
    parser.add_argument("--compression", choices=["xz", "zstd", "none"], default="xz", help="none is for tests")
    parser.add_argument("--update", type=Path, metavar="DIR", help="also a package there, to update installed agents by")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR")
    arguments = parser.parse_args()
    kind = Kind(arguments.version, arguments.arch, arguments.python)
    wheels = arguments.wheelhouse / f"{kind.arch}-py{kind.python}"
    fetch_wheels(kind, arguments.extras, wheels)
    with tempfile.TemporaryDirectory() as name:
        site = Path(name) / "site"
        unpack_wheels(wheels, site)
        compile_site(kind, site)
        if arguments.update is not None:
            print(pack_update(kind, site, arguments.update))
        print(build(kind, site, arguments.out, arguments.compression))


if __name__ == "__main__":
    main()
