"""A booted device whose disk is full, read-only or damaged, whose clock is wrong, or whose server is away: it goes on working.

python -m pytest -m long -s tests/long/test_booted_faults.py            # prints the table
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from edgefleet_server.core.errors import UnavailableError
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import write_site
from tests.fleet_server.fakes.server_process import ROOT
from tests.long.test_booted import DEVICE, SETTINGS, deb, status
from tests.services import shifted_clock
from tests.services.booted import Booted, why_not
from tests.services.brokers import free_port
from tests.system.site import Deployment

__all__ = ["deb"]

pytestmark = [
    pytest.mark.alone,
    pytest.mark.long(minutes=40),
    pytest.mark.timeout(5400),
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
]

UNIT = "edgefleet-agent.service"
STATE = "var/lib/edgefleet"
YEAR_S = 365.25 * 86400.0
SMALL = (
    "outbox.db", "uploads.db", "evidence/events.db", "desired.json", "boot.json", "reported.json", "local.json",
    "budget.json", "trust/time.json", "trust/metadata.json", "slots/detector.json",
)  # fmt: skip
WINDOW_S = 5.0
PATIENCE_S = 150.0
REPORT_S = 30.0


@dataclass(frozen=True, slots=True)
class Row:
    """One fault. shows: what `status` and the server have to show (a regular expression; empty: nothing); loses: records are
    lost by it."""

    name: str
    begin: Callable[[], None]
    end: Callable[[], None]
    shows: str = ""
    loses: bool = False


class Site:
    """The device and its server."""

    def __init__(self, box: Booted, deployment: Deployment, port: int) -> None:
        self.box, self.deployment, self.port = box, deployment, port
        self.state = box.tree / STATE

    def analysed(self) -> int:
        """Frames analysed in a few seconds, once the first answer of the worker's own API is there."""
        before = self._frames()
        deadline = time.monotonic() + PATIENCE_S
        while before is None or (now := self._frames()) is None or now - before < 3:
            if time.monotonic() > deadline:
                return 0
            time.sleep(0.2)
            before = before if before is not None else self._frames()
        time.sleep(WINDOW_S)
        after = self._frames()
        return after - now if after is not None else 0

    def fault(self) -> str:
        return str(status(self.box).get("fault", ""))

    def samples(self) -> int:
        """Records of the device in the server's database."""
        with contextlib.closing(self.deployment.database()) as database:
            (rows,) = database.execute("SELECT count(*) FROM telemetry WHERE device = ?", (DEVICE,)).fetchone()
        return int(rows)

    def attention(self) -> str:
        """The texts of the server about the device."""
        try:
            return "; ".join(self.deployment.device(DEVICE)["attention"])
        except UnavailableError:
            return ""

    def sound(self) -> bool:
        """Connected, nothing in the way; a notice of damage stays for an hour."""
        now = status(self.box)
        texts, fault = now.get("stores", {}).values(), now.get("fault", "")
        for text in texts:
            fault = fault.replace(text, "")
        present = [text for text in texts if "damaged" not in text]
        return bool(now.get("connected")) and not present and not fault.strip("; ") and now["outbox"]["records"] < 20

    def restart(self) -> None:
        self.box.run("systemctl", "restart", UNIT, check=False)

    def _frames(self) -> int | None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=3.0) as answer:
                found = re.search(r"^edgefleet_frames_processed_total\{.*\} (\d+)", answer.read().decode(), re.MULTILINE)
        except OSError:
            return None
        return int(found[1]) if found else None

    # -- faults

    def fill(self) -> None:
        with (self.box.tree / "filler").open("ab", buffering=0) as file, contextlib.suppress(OSError):
            os.posix_fallocate(file.fileno(), 0, os.statvfs(self.box.tree).f_bavail * 4096 - 2**20)
        with (self.box.tree / "filler").open("ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    def free(self) -> None:
        (self.box.tree / "filler").unlink()

    def replace_power(self) -> None:
        """Cut the power and boot, as a watchdog of the board does: the file system is checked."""
        self.box.cut_power()
        self.box.check_disk()
        self.box.boot()

    def remount_ro(self) -> None:
        self.box.run("systemctl", "stop", UNIT)
        self.box.remount("ro")
        self.box.run("systemctl", "start", UNIT)

    def remount_rw(self) -> None:
        self.box.remount("rw")

    def scribble(self, *names: str) -> None:
        chance = random.Random(16)
        for name in names:
            for path in (path for path in self.state.glob(f"{name}*") if path.suffix != ".db-shm"):
                with path.open("r+b") as file:
                    for offset in range(0, path.stat().st_size, 4096):
                        file.seek(offset)
                        file.write(chance.randbytes(64))

    def remove_state(self) -> None:
        for path in self.state.iterdir():
            if path.name in ("identity", "identity.copy", "trust", "agent.sock"):  # what only an enrolment can give
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()

    def folders(self) -> None:
        for name in SMALL:
            path = self.state / name
            path.unlink(missing_ok=True)
            path.mkdir(parents=True)

    def own_by_root(self) -> None:
        self.box.run("chown", "-R", "root:root", f"/{STATE}")

    def own_files_by_root(self) -> None:
        self.box.run("find", f"/{STATE}", "-type", "f", "-exec", "chown", "root:root", "{}", "+")

    def set_clock(self, offset_s: float) -> None:
        shifted_clock.shift(self.box.tree, offset_s)

    def stop_server(self) -> None:
        self.deployment.kill9("server")


@pytest.fixture
def at(tmp_path: Path, deployment: Deployment, deb: Path) -> Iterator[Site]:
    """A device with one disk, a camera and a factory package, enrolled."""
    if shifted_clock.why_not():
        pytest.skip(shifted_clock.why_not())
    (camera,) = write_site(tmp_path / "site", cameras=1, seconds=6.0, seed=5)
    box, port = Booted(tmp_path, "edgefleet-faults", "3G"), free_port()
    try:
        shutil.copytree(site.model_folder("1.0.0"), box.tree / "usr/share/edgefleet/1.0.0")
        shutil.copy(camera.video, box.tree / "usr/share/edgefleet/camera.mp4")
        shifted_clock.install(box.tree)
        drop_in = box.tree / "etc/systemd/system" / f"{UNIT}.d" / "clock.conf"
        drop_in.parent.mkdir(parents=True)
        drop_in.write_text(f"[Service]\nEnvironment={shifted_clock.ENVIRONMENT}\n")
        shutil.copy(deb, box.tree / "root" / deb.name)
        shutil.copy(ROOT / "deploy" / "install-agent.sh", box.tree / "root")
        journal = box.tree / "etc/systemd/journald.conf.d/volatile.conf"
        journal.parent.mkdir(parents=True)
        journal.write_text("[Journal]\nStorage=volatile\n")  # an open journal keeps the disk from being remounted
        box.boot()
        (box.tree / "etc/edgefleet/pipelines").mkdir(parents=True)
        (box.tree / "etc/edgefleet/agent.toml").write_text(f'{SETTINGS}\n[local_api]\nhttp = "127.0.0.1:{port}"\n')
        pipeline = site.conveyor_pipeline(Path("/usr/share/edgefleet/camera.mp4"))
        (box.tree / "etc/edgefleet/pipelines/line.toml").write_text(pipeline)
        token = deployment.rest.post("/enrolment-tokens", {})["token"]
        box.run("sh", "/root/install-agent.sh", f"/root/{deb.name}", deployment.url, "--token", token)
        (box.tree / "root" / deb.name).unlink()
        yield Site(box, deployment, port)
    finally:
        box.close()


def rows_of(at: Site) -> list[Row]:
    def nothing() -> None:
        pass

    def real_clock() -> None:
        at.set_clock(0)

    since_1970_s = time.time() - 600.0
    until_2040_s = 70 * YEAR_S - time.time()
    return [
        Row("disk full", at.fill, at.free, "disk full|no space"),
        Row("disk error, ext4 goes read-only", at.box.fail_disk, at.replace_power, "read-only"),
        Row("disk remounted read-only", at.remount_ro, at.remount_rw, "read-only"),
        Row("databases overwritten", lambda: at.scribble(*SMALL[:3]), nothing, "damaged", loses=True),
        Row("small files overwritten", lambda: at.scribble(*SMALL[3:]), nothing, ""),
        Row("identity overwritten", lambda: at.scribble("identity/device.pem", "identity/identity.json"), nothing, ""),
        Row("state removed", at.remove_state, nothing, "", loses=True),
        Row("folders in the place of files", at.folders, nothing, "", loses=True),
        Row("owner root", at.own_by_root, nothing),
        Row("owner of the files root", at.own_files_by_root, nothing, loses=True),
        Row("clock of 1970", lambda: at.set_clock(-since_1970_s), real_clock),
        Row("clock of 2040", lambda: at.set_clock(until_2040_s), real_clock),
        Row("no network", at.stop_server, at.deployment.start_server),
    ]


def test_inference_continues_and_the_device_heals(at: Site) -> None:
    at.deployment.wait("the device works", lambda: at.deployment.running_version(DEVICE) == "1.0.0" and at.sound())
    chosen = os.environ.get("EDGEFLEET_ROWS", "")
    lines, wrong = [], []
    for row in rows_of(at):
        if re.search(chosen, row.name):
            line, faults = _play(at, row)
            print(line, flush=True)
            lines.append(line)
            wrong += faults
    head = f"{'fault':42} {'frames':>7} {'after restart':>14} {'healed (s)':>11}  status and server"
    print("\n".join(["", head, *lines]))
    assert wrong == []


def _shown(at: Site, pattern: str) -> str:
    """The texts of the server about the device, within a report of it."""
    deadline = time.monotonic() + (REPORT_S if pattern else 0.0)
    while True:
        shown = at.attention()
        if re.search(pattern, shown, re.IGNORECASE) or time.monotonic() > deadline:
            return shown
        time.sleep(0.5)


def _play(at: Site, row: Row) -> tuple[str, list[str]]:
    """One row: its line of the table, and what is wrong."""
    lost_before = int(status(at.box).get("outbox", {}).get("lost", 0))
    row.begin()
    running = at.analysed()
    texts = at.fault()
    at.restart()
    restarted = at.analysed()
    texts = f"{texts} | {at.fault()}"
    shown = _shown(at, row.shows)
    row.end()
    began, before = time.monotonic(), -1
    while time.monotonic() - began < PATIENCE_S:
        if before < 0 and at.sound():
            before = at.samples()
        if before >= 0 and at.samples() > before and at.sound():
            break
        time.sleep(0.5)
    else:
        before = -1
    healed_s = time.monotonic() - began
    lost = int(status(at.box).get("outbox", {}).get("lost", 0)) - lost_before
    found = {
        "no inference": running == 0,
        "no inference after a restart": restarted == 0,
        "not healed": before < 0,
        f"the status does not show it: {texts}": bool(row.shows) and re.search(row.shows, texts, re.IGNORECASE) is None,
        f"the server does not show it: {shown}": bool(row.shows) and re.search(row.shows, shown, re.IGNORECASE) is None,
        f"{lost} records lost": lost > 0 and not row.loses,
    }
    wrong = [f"{row.name}: {text}" for text, is_so in found.items() if is_so]
    if before < 0:
        wrong.append(f"{row.name}: {status(at.box)}")
        print(at.box.run("journalctl", "-u", UNIT, "-n", "60", "-o", "cat", check=False).stdout, flush=True)
    shows = f"{texts[:200]} | server: {shown[:200]}"
    return f"{row.name:42} {running:7} {restarted:14} {healed_s if before >= 0 else -1:11.0f}  {shows}", wrong
