"""Requested pictures on a disk that takes none."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest

from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.recording.snapshots import AT_ONCE_MAX, SnapshotRequests
from edgefleet_contract.worker_process import PictureTaken, TakePicture
from tests.small_disk import mounted

JPEG = bytes(20_000)


class Camera:
    def picture(self, pipeline: str, *, overlays: bool, wait_s: float) -> tuple[bytes, int, int]:
        return JPEG, 640, 480


@pytest.mark.parametrize(("fault", "text"), [("full", "no space left"), ("read-only", "Read-only file system")])
def test_the_answer_has_the_reason_and_a_later_picture_is_taken(tmp_path: Path, fault: str, text: str) -> None:
    answers: queue.Queue[PictureTaken] = queue.Queue()
    requests = SnapshotRequests(Camera(), SystemClock(), answers.put)
    with mounted(tmp_path / "disk", "1m") as disk:
        if fault == "full":
            disk.fill()
        else:
            disk.remount("ro")
        file = disk.folder / "evidence" / "_requested" / "p.jpg"
        for number in range(2 * AT_ONCE_MAX):
            requests.take(TakePicture(request=number, pipeline="hall", file=str(file)))
            answer = answers.get(timeout=120.0)
            assert (answer.request, answer.ok) == (number, False)
            assert text in answer.detail
        assert not list((disk.folder / "evidence").rglob("*.new"))
        if fault == "full":
            disk.free()
        else:
            disk.remount("rw")
        requests.take(TakePicture(request=99, pipeline="hall", file=str(file)))
        assert answers.get(timeout=120.0).ok
        assert file.read_bytes() == JPEG
