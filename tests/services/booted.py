"""A booted Debian with systemd in `systemd-nspawn`; its power can be cut. Root only.

The tree is made once by debootstrap and kept in `EDGEFLEET_TEST_CACHE` (default ~/.cache/edgefleet-test); each test boots a copy.
The container has the host's network, so that a server of the test is 127.0.0.1 for it too.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

INCLUDED = "systemd,systemd-sysv,dbus,udev,python3,ca-certificates,procps"
BOOT = """
mount --make-rprivate /
umount -R /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p /sys/fs/cgroup/{name}
echo $$ > /sys/fs/cgroup/{name}/cgroup.procs
export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1
exec systemd-nspawn --quiet --boot --directory={tree} --machine={name} --register=no --keep-unit --console=pipe --link-journal=no
"""
"""In a mount namespace of its own: the container gets a whole cgroup tree, wherever this machine keeps its own."""


def why_not() -> str:
    """Reason why a container cannot be booted on this machine; empty if it can."""
    if os.geteuid() != 0:
        return "booting a Debian needs root"
    for program, package in (("systemd-nspawn", "systemd-container"), ("debootstrap", "debootstrap"), ("nsenter", "util-linux")):
        if shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") is None:
            return f"{program} is missing: apt-get install {package}"
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        return "this machine allows no mount namespaces"
    return ""


def debian_tree(arch: str = "") -> Path:
    """The tree to copy, made where it is not there yet (asks a Debian mirror, once; skips the test where
    none answers). `arch`: another than this machine's."""
    cache = Path(os.environ.get("EDGEFLEET_TEST_CACHE", "~/.cache/edgefleet-test")).expanduser()
    tree = cache / ("bookworm" + (f"-{arch}" if arch else ""))
    if not (tree / "etc" / "debian_version").is_file():
        beside = tree.with_name(f"{tree.name}.new")
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        foreign = [f"--arch={arch}"] if arch else []
        command = ["debootstrap", "--variant=minbase", f"--include={INCLUDED}", *foreign, "bookworm", str(beside)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no Debian can be installed: {done.stdout[-500:]}{done.stderr[-500:]}")
        beside.rename(tree)
    return tree


class Booted:
    """One container. `cut_power` kills all of it at once; unlike after a pulled plug, the host keeps what was not synced.

    disk: size of its disk, such as "3G": one ext4 file system in an image, as on a card; empty: a folder of the host.
    """

    def __init__(self, folder: Path, name: str, disk: str = "") -> None:
        self.tree = folder / "tree"
        self._image = folder / "disk.img" if disk else None
        if self._image is not None:
            subprocess.run(["truncate", f"--size={disk}", str(self._image)], check=True)
            subprocess.run(["mkfs.ext4", "-q", "-F", str(self._image)], check=True)
            self.tree.mkdir()
            self._mount()
        self._name = name
        self._console = folder / "console.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._init = 0
        subprocess.run(["cp", "-a", "--reflink=auto", f"{debian_tree()}/.", str(self.tree)], check=True)
        (self.tree / "etc" / "machine-id").write_text("")

    def boot(self, timeout_s: float = 60.0) -> None:
        """Until systemd answers."""
        script = BOOT.format(name=self._name, tree=self.tree)
        with self._console.open("ab") as console:
            self._process = subprocess.Popen(
                ["unshare", "-m", "sh", "-ec", script], stdin=subprocess.DEVNULL, stdout=console, stderr=console
            )
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            assert self._process.poll() is None, self._console.read_text(errors="replace")[-2000:]
            self._init = self._find_init()
            if self._init and self.run("systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded"):
                return
            time.sleep(0.1)
        raise AssertionError(f"not booted after {timeout_s:.0f} s: {self._console.read_text(errors='replace')[-2000:]}")

    def run(self, *command: str, check: bool = True, timeout_s: float = 300.0) -> subprocess.CompletedProcess[str]:
        """A command inside, as root."""
        inside = ["nsenter", "-t", str(self._init), "-m", "-p", "-u", "-i", "-C", "--wdns=/", "env", "-i"]
        clean = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"]
        done = subprocess.run([*inside, *clean, *command], capture_output=True, text=True, timeout=timeout_s)
        assert not check or done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done

    def cut_power(self) -> None:
        """Kill every process inside at once."""
        if self._init:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._init, signal.SIGKILL)
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(20.0)
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
        self._process, self._init = None, 0

    def close(self) -> None:
        """Cut the power, and take the disk out."""
        self.cut_power()
        if self._image is not None:
            subprocess.run(["umount", str(self.tree)], check=True)

    def fail_disk(self) -> None:
        """An error that ext4 takes for a broken card: it is read-only from now on, also where files are open for writing."""
        self.remount("abort")

    def remount(self, option: str) -> None:
        """`ro` or `rw`. The kernel refuses `ro` while a file is open for writing."""
        done = subprocess.run(["mount", "-o", f"remount,{option}", str(self.tree)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def check_disk(self) -> None:
        """Repair the file system, as a boot does; without power only."""
        subprocess.run(["umount", str(self.tree)], check=True)
        checked = subprocess.run(["e2fsck", "-f", "-y", str(self._image)], capture_output=True, text=True)
        assert checked.returncode in (0, 1), checked.stdout
        self._mount()

    def _mount(self) -> None:
        subprocess.run(["mount", "-o", "loop,errors=remount-ro", str(self._image), str(self.tree)], check=True)

    def _find_init(self) -> int:
        assert self._process is not None
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self._process.pid).children(recursive=True):
                if child.name() == "systemd" and not any(parent.name() == "systemd" for parent in child.parents()[:1]):
                    return child.pid
        return 0
