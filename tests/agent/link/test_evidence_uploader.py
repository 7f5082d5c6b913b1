"""Evidence upload from device to server: over a lossy connection, across restarts, within a budget."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgefleet_agent.core.disk_faults import DiskState
from edgefleet_agent.link.evidence_uploader import PATIENCE_S, WRITTEN_S_MAX, EvidenceUploader
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire.evidence_upload import BLOCK_BYTES, Upload, UploadState, parse_block
from edgefleet_contract.wire.messages import Event, EventPhase
from edgefleet_server.core.errors import InputError
from edgefleet_server.link.evidence_receiver import OFFERS_OF_DEVICE
from edgefleet_server.link.evidence_receiver import EvidenceReceiver as ServerUploads
from edgefleet_server.registry import disk_space
from edgefleet_server.registry.evidence_store import LIVE_MAX, LIVE_PREFIX, PICTURES_MAX, EvidenceStore
from tests.small_disk import mounted

NOW = 1_790_000_000.0


class Line:
    """Both ends of a lossy connection. `said`: messages published by the device."""

    def __init__(self, loss: Callable[[], bool] = lambda: False) -> None:
        self.loss = loss
        self.sent: list[Outgoing] = []
        self.answers: list[UploadState] = []
        self.answered = threading.Event()
        self.server: ServerUploads | None = None

    def publish(self, message: Outgoing, **_options: object) -> int:
        """Publish a message of the device."""
        self.sent.append(message)
        if self.server is not None and not self.loss():
            device, _, rest = message.topic.removeprefix("edgefleet/v1/d/").partition("/up/")
            self.server.take(device, rest, message.payload)
        return 1

    def blocks(self) -> int:
        return sum("/up/upload/" in message.topic for message in self.sent)


class Back:
    """The server's link: what it publishes goes back to the device."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def publish(self, message: Outgoing) -> None:
        if not self._line.loss():
            self._line.answers.append(decode(message.payload, UploadState))
        self._line.answered.set()


class Device:
    """A device with evidence, and its turns."""

    def __init__(self, folder: Path, line: Line, day_bytes: int = 0, kinds: tuple[str, ...] = ("snapshot", "clip")) -> None:
        self.evidence = folder / "evidence"
        (self.evidence / "hall").mkdir(parents=True, exist_ok=True)
        self.uploads = EvidenceUploader(folder, self.evidence, "d-1", frozenset(kinds), day_bytes)
        self.line = line
        self.now, self.wall = 0.0, NOW

    def event(self, number: int, clip: bytes = b"", snapshot: bytes = b"picture") -> None:
        data = {}
        for kind, suffix, body in (("snapshot", "jpg", snapshot), ("clip", "mp4", clip)):
            if body:
                data[kind] = f"hall/e-{number}.{suffix}"
                (self.evidence / data[kind]).write_bytes(body)
        self.uploads.take(Event(kind="visit", id=f"e-{number}", phase=EventPhase.END, data=data), self.wall)

    def turn(self, passed_s: float = 0.5) -> None:
        self.now += passed_s
        answers, self.line.answers = self.line.answers, []
        for answer in answers:
            self.uploads.on_state(answer, self.now)
        self.uploads.turn(self.now, self.wall, self.line.publish)

    def until(self, done: Callable[[], bool], turns: int = 3000) -> None:
        for _ in range(turns):
            if done():
                return
            self.line.answered.clear()
            self.turn()
            if not self.line.answers:
                self.line.answered.wait(0.01)
        raise AssertionError(f"{self.uploads.waiting} files still wait")


def server(folder: Path, line: Line, **limits: int) -> EvidenceStore:
    store = EvidenceStore(folder / "server", keep_s=1e9, **limits)
    line.server = ServerUploads(Back(line), store)  # type: ignore[arg-type]  # publishes like the link
    line.server.start()
    return store


def body(seed: int, length: int) -> bytes:
    return random.Random(seed).randbytes(length)


def test_snapshots_before_clips_and_the_newest_first(tmp_path: Path) -> None:
    line = Line()
    device = Device(tmp_path, line)
    for number in range(3):
        device.wall += 1
        device.event(number, clip=body(number, 1000))
    store = server(tmp_path, line)
    device.until(lambda: not device.uploads.waiting)
    offers = [decode(message.payload, Upload) for message in line.sent if message.topic.endswith("/up/upload")]
    # An offer comes again where the server is slow.
    assert list(dict.fromkeys((offer.kind, offer.event) for offer in offers)) == [
        *(("snapshot", f"e-{number}") for number in (2, 1, 0)),
        *(("clip", f"e-{number}") for number in (2, 1, 0)),
    ]
    found = store.find("d-1", "e-1", "clip")
    assert found is not None
    assert found.read_bytes() == body(1, 1000)


@pytest.mark.parametrize("length", [1, BLOCK_BYTES, BLOCK_BYTES + 1, 11 * BLOCK_BYTES + 77])
@pytest.mark.parametrize("loss", [0.0, 0.3])
def test_every_length_over_a_line_that_loses(tmp_path: Path, length: int, loss: float) -> None:
    dice = random.Random(length)
    line = Line(lambda: dice.random() < loss)
    device = Device(tmp_path, line, kinds=("clip",))
    device.event(7, clip=body(7, length))
    store = server(tmp_path, line)
    device.until(lambda: not device.uploads.waiting)
    found = store.find("d-1", "e-7", "clip")
    assert found is not None
    assert found.read_bytes() == body(7, length)
    assert not list((tmp_path / "server").rglob("*.part"))
    if not loss:
        assert line.blocks() == -(-length // BLOCK_BYTES)


def test_a_restart_of_both_ends_resumes_the_upload(tmp_path: Path) -> None:
    line = Line()
    device = Device(tmp_path, line, kinds=("clip",))
    clip = body(1, 40 * BLOCK_BYTES)
    device.event(1, clip=clip)
    server(tmp_path, line)
    device.until(lambda: line.blocks() >= 20)
    assert line.server is not None
    line.server.close()
    device.uploads.close()
    again = Line()
    device = Device(tmp_path, again, kinds=("clip",))
    store = server(tmp_path, again)
    device.until(lambda: not device.uploads.waiting)
    assert again.blocks() <= 40 - 20 + 8  # no more than the window again
    found = store.find("d-1", "e-1", "clip")
    assert found is not None
    assert found.read_bytes() == clip


def test_the_budget_of_a_day(tmp_path: Path) -> None:
    line = Line()
    device = Device(tmp_path, line, day_bytes=5000, kinds=("snapshot",))
    for number in range(12):
        device.event(number, snapshot=body(number, 1000))
    server(tmp_path, line)
    device.until(lambda: device.uploads.waiting == 7)
    for _ in range(50):
        device.turn()
    assert line.blocks() == 5
    device.wall -= 86400 * 3  # a clock that is set back starts no new day
    for _ in range(50):
        device.turn()
    assert line.blocks() == 5
    device.wall += 86400 * 4
    device.until(lambda: device.uploads.waiting == 2)


def test_what_gave_way_on_the_device_is_forgotten_and_counted(tmp_path: Path) -> None:
    line = Line()
    device = Device(tmp_path, line, kinds=("snapshot",))
    device.event(1)
    device.event(2)
    (device.evidence / "hall/e-2.jpg").unlink()
    store = server(tmp_path, line)
    device.until(lambda: device.uploads.waiting == 1)  # the other may still be written
    assert store.find("d-1", "e-1", "snapshot") is not None
    device.wall += WRITTEN_S_MAX + 1
    for _ in range(100):
        device.turn(PATIENCE_S)
    assert (device.uploads.waiting, device.uploads.forgotten) == (0, 1)


def test_a_requested_file_comes_first_and_the_rest_resumes(tmp_path: Path) -> None:
    line = Line()
    device = Device(tmp_path, line, kinds=("clip",))
    clip, old = body(1, 40 * BLOCK_BYTES), body(2, 3 * BLOCK_BYTES)
    device.event(1, clip=clip)
    (device.evidence / "hall/e-0.mp4").write_bytes(old)
    store = server(tmp_path, line)
    device.until(lambda: line.blocks() >= 10)
    device.uploads.ask("e-0", "clip", "hall/e-0.mp4", device.wall)
    assert device.uploads.fate("e-0", "clip") is None
    device.until(lambda: device.uploads.fate("e-0", "clip") is not None)
    assert (device.uploads.fate("e-0", "clip"), device.uploads.waiting) == ("", 1)
    device.until(lambda: not device.uploads.waiting)
    assert line.blocks() <= 40 + 3 + 8  # no more than the window again
    for event, whole in (("e-0", old), ("e-1", clip)):
        found = store.find("d-1", event, "clip")
        assert found is not None
        assert found.read_bytes() == whole


def test_a_requested_file_keeps_within_the_budget_or_is_refused_at_once(tmp_path: Path) -> None:
    line = Line()
    device = Device(tmp_path, line, day_bytes=5000, kinds=())
    store = server(tmp_path, line)
    for name, length in (("small", 3000), ("large", 2001)):
        (device.evidence / f"hall/{name}.jpg").write_bytes(body(length, length))
    device.uploads.ask("c-1", "picture", "hall/small.jpg", device.wall)
    device.until(lambda: not device.uploads.waiting)
    assert not (device.evidence / "hall/small.jpg").exists(), "a picture is of no use on the device any more"
    assert [name for name, _, length in store.pictures("d-1") if length == 3000] == ["c-1"]
    with pytest.raises(UnavailableError, match=r"0.0 MB, 0.0 of 0.005 MB of today's budget are left"):
        device.uploads.ask("c-2", "picture", "hall/large.jpg", device.wall)
    with pytest.raises(UnavailableError, match="make room for newer ones"):
        device.uploads.ask("c-3", "clip", "hall/gone.mp4", device.wall)
    device.uploads.ask("c-2", "picture", "hall/large.jpg", device.wall + 86400)


def test_only_the_newest_pictures_of_a_device_stay_at_the_server(tmp_path: Path) -> None:
    line = Line()
    device = Device(tmp_path, line, kinds=())
    store = server(tmp_path, line)
    names = [f"{prefix}{number}" for number in range(PICTURES_MAX + 2) for prefix in ("c-", LIVE_PREFIX)]
    for name in names:
        (device.evidence / "hall/now.jpg").write_bytes(name.encode())
        device.uploads.ask(name, "picture", "hall/now.jpg", device.wall)
        device.until(lambda: not device.uploads.waiting)
        path = store.find("d-1", name, "picture")
        assert path is not None
        os.utime(path, (NOW + names.index(name),) * 2)  # the order follows from file times
    assert [name for name, _, _ in store.pictures("d-1")] == [f"c-{number}" for number in range(PICTURES_MAX + 1, 1, -1)]
    live = [name for name in names if name.startswith(LIVE_PREFIX) and store.find("d-1", name, "picture")]
    assert live == [f"{LIVE_PREFIX}{number}" for number in range(PICTURES_MAX + 2 - LIVE_MAX, PICTURES_MAX + 2)]


def test_a_server_that_refuses_is_believed(tmp_path: Path) -> None:
    line = Line()
    device = Device(tmp_path, line, kinds=("clip",))
    device.event(1, clip=body(1, 5000))
    store = server(tmp_path, line, device_bytes=4000)
    device.until(lambda: not device.uploads.waiting)
    assert device.uploads.forgotten == 1
    assert store.find("d-1", "e-1", "clip") is None


def test_the_oldest_of_a_device_gives_way_at_the_server(tmp_path: Path) -> None:
    line = Line()
    store = server(tmp_path, line, device_bytes=10_000)
    device = Device(tmp_path, line, kinds=("clip",))
    for number in range(5):
        device.event(number, clip=body(number, 3000))
        device.until(lambda: not device.uploads.waiting)
        time.sleep(0.01)  # the order follows from file times
    assert [number for number in range(5) if store.find("d-1", f"e-{number}", "clip")] == [2, 3, 4]
    assert store.tidy(time.time() + 2e9) == 3


def test_hostile_words_change_nothing(tmp_path: Path) -> None:
    line = Line()
    store = server(tmp_path, line)
    assert line.server is not None
    good = Upload(device="d-1", event="e-1", kind="clip", digest="a" * 64, length=10)
    bad = [
        b"no json",
        encode(good).replace(b"d-1", b"d-2"),
        encode(good).replace(b"e-1", b"../x"),
        encode(good).replace(b'"length":10', b'"length":99999999999'),
        encode(good).replace(b"clip", b"zip"),
    ]
    for payload in bad:
        line.server.take("d-1", "upload", payload)
    line.server.take("d-1", f"upload/{'b' * 64}/0", b"unasked")
    line.server.take("d-1", "upload", encode(good))
    line.server.take("d-1", f"upload/{'a' * 64}/5", b"x" * 10)
    line.server.take("d-1", f"upload/{'a' * 64}/0", b"x" * 10)
    deadline_s = time.monotonic() + 120
    while not any(answer.refused for answer in line.answers) and time.monotonic() < deadline_s:
        time.sleep(0.01)
    line.server.close()
    assert [answer.refused for answer in line.answers if answer.refused] == ["the SHA-256 does not match the offer"]
    assert store.find("d-1", "e-1", "clip") is None
    assert not list((tmp_path / "server").rglob("*.part"))
    with pytest.raises(InputError, match="block 0 has 3 bytes"):
        store.append(good, 0, b"xxx")
    assert [parse_block(rest) for rest in ("upload/x/1", "upload", f"upload/{'a' * 64}/-1")] == [None] * 3


@pytest.mark.parametrize("freed_first", [False, True])
def test_uploads_go_on_while_the_disk_is_full(tmp_path: Path, freed_first: bool) -> None:
    line = Line()
    store = server(tmp_path, line)
    with mounted(tmp_path / "disk", "4m") as disk:
        device = Device(disk.folder, line, day_bytes=100_000_000, kinds=("clip",))
        for number in range(1, 4):
            device.event(number, clip=body(number, BLOCK_BYTES))
        disk.fill()
        while not device.uploads.faults.present():
            found = Event(kind="visit", id=f"x-{time.monotonic_ns()}", data={"clip": "none" * 500})
            device.uploads.take(found, device.wall)
        if freed_first:
            disk.free()
            device.uploads.turn(1.0, device.wall, lambda _: None)
        device.until(lambda: store.find("d-1", "e-1", "clip") is not None)
        if not freed_first:
            assert device.uploads.faults.present()["uploads"].state is DiskState.FULL
            disk.free()
        spent = device.uploads._spent(device.wall)
        ends_s = time.monotonic() + 120
        while device.uploads.faults.present():
            assert time.monotonic() < ends_s
            device.turn()
        device.uploads.close()
        device = Device(disk.folder, line, day_bytes=100_000_000, kinds=("clip",))
        assert device.uploads._spent(device.wall) >= spent > 0, "the budget of the day is that of the memory"
        assert device.uploads.waiting > 0
        device.uploads.close()


def test_uploads_go_on_while_the_disk_is_read_only(tmp_path: Path) -> None:
    """The list is read from the file, what is sent is noted in memory, and the file has it after the disk is back."""
    line = Line()
    store = server(tmp_path, line)
    with mounted(tmp_path / "disk", "4m") as disk:
        device = Device(disk.folder, line, kinds=("clip",))
        for number in range(1, 4):
            device.event(number, clip=body(number, BLOCK_BYTES))
        device.uploads.close()
        disk.remount("ro")
        device = Device(disk.folder, line, kinds=("clip",))
        assert device.uploads.waiting == 3
        assert device.uploads.faults.present()["uploads"].state is DiskState.READ_ONLY
        device.until(lambda: store.find("d-1", "e-3", "clip") is not None)
        disk.remount("rw")
        ends_s = time.monotonic() + 120
        while device.uploads.faults.present():
            assert time.monotonic() < ends_s
            device.turn()
        device.until(lambda: device.uploads.waiting == 0)
        device.uploads.close()
        device = Device(disk.folder, line, kinds=("clip",))
        assert device.uploads.waiting == 0
        assert all(store.find("d-1", f"e-{number}", "clip") is not None for number in range(1, 4))
        device.uploads.close()


def test_a_damaged_list_is_created_anew(tmp_path: Path) -> None:
    (tmp_path / "uploads.db").write_bytes(b"damaged" * 500)
    device = Device(tmp_path, Line())
    device.event(1)
    assert device.uploads.waiting == 1


def test_without_space_on_the_server_a_file_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is neither taken nor given up: the device keeps it, with the reason, and sends it when there is space."""
    line = Line()
    store = server(tmp_path, line)
    total = 100 * 1024**3
    free = {"bytes": total // 10 + 1000}
    usage = shutil._ntuple_diskusage  # type: ignore[attr-defined]
    monkeypatch.setattr(disk_space.shutil, "disk_usage", lambda _folder: usage(total, total - free["bytes"], free["bytes"]))
    device = Device(tmp_path, line, kinds=("clip",))
    device.event(1, clip=body(1, 3 * BLOCK_BYTES))
    device.until(lambda: bool(device.uploads._waits))
    assert "no space for evidence" in device.uploads._waits
    assert device.uploads.waiting == 1
    assert device.uploads.forgotten == line.blocks() == 0
    assert store.warnings() == []
    free["bytes"] = total // 20
    assert ["no space for evidence" in text for text in store.warnings()] == [True]
    free["bytes"] = total
    device.turn(PATIENCE_S + 1)
    device.until(lambda: not device.uploads.waiting)
    assert store.find("d-1", "e-1", "clip") is not None
    assert store.warnings() == []


def test_offers_of_one_device_displace_only_its_own(tmp_path: Path) -> None:
    line = Line()
    store = server(tmp_path, line)
    assert line.server is not None

    def offer(device: str, number: int) -> Upload:
        data = body(number, 100)
        return Upload(device=device, event=f"e-{number}", kind="clip", digest=hashlib.sha256(data).hexdigest(), length=100)

    line.server.take("quiet", "upload", encode(offer("quiet", 0)))
    for number in range(4 * OFFERS_OF_DEVICE):
        line.server.take("loud", "upload", encode(offer("loud", number)))
    deadline_s = time.monotonic() + 120
    while len(line.answers) < 4 * OFFERS_OF_DEVICE + 1:
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    line.server.take("quiet", f"upload/{offer('quiet', 0).digest}/0", body(0, 100))
    while store.find("quiet", "e-0", "clip") is None:
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    line.server.close()
    assert len(line.server._offers["loud"]) == OFFERS_OF_DEVICE
    assert "quiet" not in line.server._offers, "what is stored is no offer"
