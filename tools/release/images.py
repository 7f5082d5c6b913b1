"""Container images of agent and server as OCI archives, built without a daemon: Debian by mmdebstrap, packed by umoci."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from deploy.build_deb import HOME, Kind, compile_site, lay_out_environment, set_modes, unpack_wheels
from tools.release.archives import pack
from tools.release.checkout import Release, run
from tools.release.distributions import PYTHON, Installation

SUITE = "bookworm"
"""Debian 12."""
USER_ID = 10001
_UNUSED = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/doc/*", "/usr/share/info/*")
_OF_THIS_MACHINE = ("etc/hostname", "etc/resolv.conf", "var/log/*", "var/cache/ldconfig/aux-cache", "var/cache/debconf/*-old")
"""What installing leaves in a system: names of the machine, times, and caches that are not the same twice."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image of an installation. packages: of Debian, beside Python. state: folder that is kept; it belongs to the user."""

    name: str
    program: str
    packages: tuple[str, ...]
    state: str
    environment: tuple[str, ...]
    command: tuple[str, ...]
    ports: tuple[str, ...] = ()


IMAGES = {
    "edgefleet-agent": Image(
        "edgefleet-agent", "edgefleet-agent", (), "/var/lib/edgefleet", (), ("run", "--config", "/etc/edgefleet/agent.toml")
    ),
    "edgefleet": Image(
        "edgefleet-server",
        "edgefleet",
        ("mosquitto", "postgresql-client"),
        "/data",
        ("EDGEFLEET_DATA=/data",),
        ("serve",),
        ("8080/tcp", "8883/tcp"),
    ),
}
"""By program of the installation."""


def missing() -> list[str]:
    """Debian packages that are missing for building images."""
    return [each for each in ("mmdebstrap", "umoci") if shutil.which(each) is None]


def build_image(release: Release, installation: Installation, wheelhouse: Path, out: Path) -> Path:
    """Build the image of an installation, and return its OCI archive, which podman, skopeo and docker load."""
    image = IMAGES[installation.program]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = debian(release, image, folder / "base.tar")
        layer = program_layer(release, installation, image, wheelhouse, folder)
        layout = folder / "layout"
        tag = f"{layout}:{release.version}"
        run(["umoci", "init", "--layout", str(layout)], release)
        run(["umoci", "new", "--image", tag], release)
        created = f"{datetime.fromtimestamp(release.epoch_s, timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
        for tar, text in ((base, f"Debian {SUITE}"), (layer, f"{image.name} {release.version}")):
            history = ["--history.created", created, "--history.created_by", text]
            run(["umoci", "raw", "add-layer", "--image", tag, *history, str(tar)], release)
        run(["umoci", "config", "--image", tag, "--no-history", *_settings(release, installation, image, created)], release)
        run(["umoci", "gc", "--layout", str(layout)], release)
        return pack(layout, out / f"{image.name}-{release.version}-{installation.arch}.oci.tar", release.epoch_s)


def debian(release: Release, image: Image, tar: Path) -> Path:
    """A Debian with Python and the packages of an image, and a user without privileges, as a tar."""
    hooks = [
        f'chroot "$1" useradd --uid {USER_ID} --no-log-init --no-create-home --home-dir {image.state} edgefleet',
        f'install -d -o {USER_ID} -g {USER_ID} -m 0700 "$1{image.state}"',
        'cd "$1" && rm -rf ' + " ".join(_OF_THIS_MACHINE),
    ]
    excluded = [f"--dpkgopt=path-exclude={each}" for each in _UNUSED] + ["--dpkgopt=path-include=/usr/share/doc/*/copyright"]
    included = ",".join((f"python{PYTHON}", "python3", "ca-certificates", *image.packages))
    options = [
        "--quiet",
        "--variant=minbase",
        f"--include={included}",
        *excluded,
        *(f"--customize-hook={each}" for each in hooks),
    ]
    run(["mmdebstrap", *options, SUITE, str(tar)], release)
    return tar


def program_layer(release: Release, installation: Installation, image: Image, wheelhouse: Path, folder: Path) -> Path:
    """The program in its environment, as the Debian package has it, as a tar."""
    kind = Kind(release.version, installation.arch, PYTHON)
    site, tree = folder / "site", folder / "tree"
    unpack_wheels(wheelhouse, site, installation.entry)
    compile_site(kind, site)
    lay_out_environment(kind, site, tree / HOME, installation.entry, image.program)
    (tree / "usr" / "bin").mkdir(parents=True)
    (tree / "usr" / "bin" / image.program).symlink_to(f"/{HOME}/bin/{image.program}")
    licence = tree / "usr" / "share" / "doc" / image.name / "copyright"
    licence.parent.mkdir(parents=True)
    shutil.copyfile(release.source / "LICENSE", licence)
    set_modes(tree)
    return pack(tree, folder / "layer.tar", release.epoch_s)


def _settings(release: Release, installation: Installation, image: Image, created: str) -> list[str]:
    labels = {
        "org.opencontainers.image.title": image.name,
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.licenses": "Apache-2.0",
    }
    options = ["--created", created, "--architecture", installation.arch, "--os", "linux", "--config.user", str(USER_ID)]
    options += ["--config.workingdir", image.state, "--config.volume", image.state, "--config.entrypoint", image.program]
    for each in image.command:
        options += ["--config.cmd", each]
    for each in ("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", f"HOME={image.state}", *image.environment):
        options += ["--config.env", each]
    for each in image.ports:
        options += ["--config.exposedports", each]
    for name, value in labels.items():
        options += ["--config.label", f"{name}={value}"]
    return options
