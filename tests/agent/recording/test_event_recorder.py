"""Clips and snapshots: content, duration, and failures of the disk."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import shutil
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.core.disk_faults import DiskFaults, DiskState
from edgefleet_agent.recording.event_recorder import EventRecorder
from edgefleet_agent.recording.evidence_folder import KEEP_FREE_MIN_BYTES, EvidenceFolder
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.packet_ring import PacketRing, write_clip
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import EvidenceSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.agent.fakes.films import film
from tests.small_disk import mounted

EXAMPLES = Path(__file__).resolve().parents[3] / "docs/examples"
CARS, VISITORS = "media/videos/car-detection.mp4", "media/videos/one-by-one-person-detection.mp4"


def filled(path: Path, ring: PacketRing, base_s: float = 0.0) -> list[float]:
    """Fills the ring with all packets, from `base_s` on. Returns the times of all pictures."""
    source = FileSource(SourceSpec(kind="file", uri=str(path), pace="fast"))
    feed = source.ring = ring.connect()
    feed.base_s = base_s
    source.open()
    times = [frame.media_s for frame in source.frames()]
    source.close()
    return times


def lumas(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as clip:
        return [frame.to_ndarray(format="yuv420p")[: frame.height] for frame in clip.decode(video=0)]


@pytest.fixture(scope="module", params=[CARS, VISITORS])
def recorded(request: pytest.FixtureRequest, data: Path) -> tuple[PacketRing, list[float], list[np.ndarray]]:
    """A ring with the first pictures of a clip, their times and their luma."""
    source, ring = FileSource(SourceSpec(kind="file", uri=str(data / request.param), pace="fast")), PacketRing(1000.0, 1 << 30)
    source.ring = ring.connect()
    source.open()
    frames = [(frame.media_s, frame.planes[0].copy()) for frame in itertools.islice(source.frames(), 280)]
    source.close()
    return ring, [media_s for media_s, _ in frames], [luma for _, luma in frames]


@pytest.mark.parametrize(("start_s", "end_s"), [(0.0, 3.0), (7.35, 12.1), (20.01, 20.02 + 1 / 12)])
def test_a_clip_shows_exactly_its_time_and_is_not_encoded_again(
    recorded: tuple[PacketRing, list[float], list[np.ndarray]], start_s: float, end_s: float, tmp_path: Path
) -> None:
    ring, times, original = recorded
    cut = ring.cut(start_s, end_s)
    assert cut is not None
    write_clip(cut, tmp_path / "clip.mp4")
    expected = [number for number, media_s in enumerate(times) if start_s <= media_s <= end_s]
    shown = lumas(tmp_path / "clip.mp4")
    # Pictures may refer to later ones, which are included: two at most at the end.
    assert len(expected) <= len(shown) <= len(expected) + 2
    for picture, number in zip(shown, expected, strict=False):
        assert np.array_equal(picture, original[number])
    assert [path.name for path in tmp_path.iterdir()] == ["clip.mp4"]


def test_the_ring_keeps_whole_groups_and_its_limits(data: Path) -> None:
    ring = PacketRing(5.0, 1 << 30)
    times = filled(data / CARS, ring)
    assert ring.cut(0.0, times[-1] - 12) is None
    cut = ring.cut(0.0, times[-1])
    assert cut is not None
    assert 5.0 <= cut.end_s - cut.start_s <= 5.0 + 60 / 12.5  # a group of the clip is 60 pictures long
    assert cut.packets[0].keyframe
    small = PacketRing(1000.0, 200_000)
    filled(data / CARS, small)
    clip = small.cut(0.0, 1000.0)
    assert clip is None or sum(len(packet.data) for packet in clip.packets) <= 200_000


def test_a_clip_of_before_a_loss_can_still_be_cut(data: Path, tmp_path: Path) -> None:
    ring = PacketRing(1000.0, 1 << 30)
    times = filled(data / CARS, ring)
    # no frames for four seconds, then another camera's picture
    filled(data / "media/videos/traffic_frames.mp4", ring, times[-1] + 4.0)
    before, after = ring.cut(20.0, times[-1] + 2.0), ring.cut(times[-1] + 1.0, times[-1] + 5.0)
    assert before is not None
    assert after is not None
    for cut, width in ((before, 768), (after, 960)):
        write_clip(cut, tmp_path / "clip.mp4")
        assert {luma.shape[1] for luma in lumas(tmp_path / "clip.mp4")} == {width}
    short = PacketRing(5.0, 1 << 30)
    filled(data / CARS, short)
    filled(data / "media/videos/traffic_frames.mp4", short, 1000.0)
    assert short.cut(0.0, 900.0) is None


def test_analysis_with_evidence(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline = tmp_path / "cars.toml"
    text = (EXAMPLES / "motion-crossing.toml").read_text(encoding="utf-8")
    pipeline.write_text(text + "\n[evidence]\npre_s = 2\npost_s = 1.5\n", encoding="utf-8")
    arguments = ["analyze", str(data / CARS), "--pipeline", str(pipeline), "--evidence", str(tmp_path / "kept"), "--json"]
    assert main(arguments) == 0
    events: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()][:-1]
    assert len(events) == 4
    for event in events:
        frames = lumas(tmp_path / "kept" / event["data"]["clip"])
        assert len(frames) == pytest.approx(3.5 * 12.5, abs=1)
        picture = cv2.imread(str(tmp_path / "kept" / event["data"]["snapshot"]))
        assert picture is not None
        assert picture.shape == (432, 768, 3)


def event(number: int, **more: Any) -> Event:
    return Event(kind="visit", pipeline="hall", rule="visits", id=f"e{number}", start_s=1.0, end_s=3.0, **more)


def test_a_full_disk_is_reported_once_and_blocks_nothing(data: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "kept"
    blocked.write_text("a file where the folder should be")
    faults: list[tuple[str, bool]] = []
    recorder = EventRecorder(
        EvidenceSpec(), EvidenceFolder(blocked, 1 << 30, 1e9), lambda text, over: faults.append((text, over))
    )
    filled(data / CARS, recorder.ring)
    for number in range(5):
        recorder.on_event(event(number), None)
    recorder.close()
    assert len(faults) == 1
    assert not faults[0][1]
    assert "evidence cannot be stored: cannot use" in faults[0][0]


def test_each_kind_of_fault_has_its_own_end(data: Path, tmp_path: Path) -> None:
    """Snapshots that are stored do not end the fault of clips, whose text names what is missing: warnings do not flap."""
    faults: list[tuple[str, bool]] = []
    recorder = EventRecorder(EvidenceSpec(), EvidenceFolder(tmp_path, 1 << 30, 1e9), lambda *one: faults.append(one))
    for number in range(3):
        recorder.on_event(event(number), None, b"a picture")
        recorder.advance(100.0)
    recorder._work.put(("hall/more.jpg", b"another"))
    filled(data / CARS, recorder.ring, 50.0)
    recorder.on_event(event(3), None, b"a picture")
    recorder.advance(100.0)
    recorder.on_event(Event(kind="visit", pipeline="hall", rule="visits", id="e4", start_s=60.0, end_s=61.0), None, b"a picture")
    recorder.advance(100.0)
    recorder.close()
    assert faults == [
        ("hall/e0.mp4: the source has given nothing yet that a clip can show", False),
        ("clips are recorded again", True),
    ]
    assert (tmp_path / "hall/e4.mp4").exists()


@pytest.mark.parametrize(("at_s", "start_s", "end_s"), [(0.0, 0.0, 1.0), (2.0033, 2.0033, 3.0033), (24.7, 24.7, 25.7)])
def test_an_event_of_one_moment_has_a_clip_of_a_second(
    at_s: float, start_s: float, end_s: float, data: Path, tmp_path: Path
) -> None:
    faults: list[str] = []
    spec = EvidenceSpec(pre_s=0.0, post_s=0.0)
    recorder = EventRecorder(spec, EvidenceFolder(tmp_path, 1 << 30, 1e9), lambda text, _: faults.append(text))
    recorder.ring = PacketRing(1000.0, 1 << 30)
    times = filled(data / CARS, recorder.ring)
    crossing = Event(kind="line", pipeline="hall", rule="door", id="e1", start_s=at_s, end_s=at_s)
    recorder.on_event(crossing, None)
    recorder.close()
    assert faults == []
    expected = [media_s for media_s in times if start_s <= media_s <= end_s]
    assert len(expected) <= len(lumas(tmp_path / "hall/e1.mp4")) <= len(expected) + 2


def test_the_cause_of_a_missing_clip(data: Path, tmp_path: Path) -> None:
    faults: list[str] = []
    recorder = EventRecorder(EvidenceSpec(), EvidenceFolder(tmp_path, 1 << 30, 1e9), lambda text, _: faults.append(text))
    times = filled(data / CARS, recorder.ring, 50.0)
    recorder.on_event(event(0), None)
    recorder.advance(1000.0)
    late = Event(kind="visit", pipeline="hall", rule="visits", id="e1", start_s=times[-1] + 70.0, end_s=times[-1] + 71.0)
    recorder._failing.clear()
    recorder.on_event(late, None)
    recorder.advance(1000.0)
    recorder.close()
    assert "no longer buffered" in faults[0]
    assert "the source gave nothing at that time" in faults[1]


def test_the_clip_of_a_long_event_has_its_beginning(data: Path, tmp_path: Path) -> None:
    """It is cut when it is as long as it may be: at the end of the event the ring would have lost the beginning."""
    faults: list[str] = []
    spec = EvidenceSpec(pre_s=1.0, post_s=1.0, max_s=2.0)
    recorder = EventRecorder(spec, EvidenceFolder(tmp_path, 1 << 30, 1e9), lambda text, _: faults.append(text))
    source = FileSource(SourceSpec(kind="file", uri=str(data / CARS), pace="fast"))
    source.ring = recorder.ring.connect()
    source.open()
    shown: list[np.ndarray] = []
    first = Event(kind="visit", pipeline="hall", rule="visits", id="e1", start_s=5.0, phase=EventPhase.NEW)
    for frame in source.frames():
        if frame.media_s >= 5.0 and first.kind == "visit" and not first.data:
            recorder.on_event(first, frame)
            first.data["snapshot"] = "hall/e1.jpg"
        if 4.0 <= frame.media_s <= 8.0:
            shown.append(frame.planes[0].copy())
        recorder.advance(frame.media_s)
    ended = Event(kind="visit", pipeline="hall", rule="visits", id="e1", start_s=5.0, end_s=29.0, phase=EventPhase.END)
    recorder.on_event(ended, None)
    source.close()
    recorder.close()
    assert faults == []
    assert ended.data["clip"] == "hall/e1.mp4"
    pictures = lumas(tmp_path / "hall/e1.mp4")
    assert len(shown) <= len(pictures) <= len(shown) + 2
    assert np.array_equal(pictures[0], shown[0])
    assert not recorder._unended


def test_a_clip_shows_the_event_and_not_the_longer_part_before_it(data: Path) -> None:
    """The camera came back with another size just before the event."""
    ring = PacketRing(1000.0, 1 << 30)
    times = filled(data / CARS, ring)
    filled(data / "media/videos/traffic_frames.mp4", ring, times[-1] + 0.5)
    event_s = (times[-1] + 0.6, times[-1] + 1.0)
    cut = ring.cut(event_s[0] - 5.0, event_s[1] + 0.1, event_s)
    assert cut is not None
    assert cut.format.stream.width == 960


def test_a_clip_of_one_picture_has_a_length(tmp_path: Path) -> None:
    ring = PacketRing(60.0, 1 << 24)
    filled(film(tmp_path, pictures=1).path, ring)
    clip = ring.cut(0.0, 1.0)
    assert clip is not None
    single = dataclasses.replace(clip, packets=(dataclasses.replace(clip.packets[0], duration=0),))
    write_clip(single, tmp_path / "clip.mp4")
    with av.open(str(tmp_path / "clip.mp4")) as written:
        assert written.duration
        assert written.duration / av.time_base == pytest.approx(0.04, abs=0.01)


def test_packets_that_came_before_the_time_of_their_opening_was_known(data: Path) -> None:
    """The reader of a source adds packets at once; when the pipeline's time of it is known they move there."""
    ring = PacketRing(1000.0, 1 << 30)
    source = FileSource(SourceSpec(kind="file", uri=str(data / "media/videos/traffic_frames.mp4"), pace="fast"))
    feed = source.ring = ring.connect()
    source.open()
    for _ in source.frames():
        feed.base_s = 100.0
    source.close()
    cut = ring.cut(99.0, 101.0)
    assert cut is not None
    assert cut.start_s == pytest.approx(100.0)
    assert ring.cut(0.0, 50.0) is None


def test_only_the_rules_that_are_named(tmp_path: Path) -> None:
    recorder = EventRecorder(EvidenceSpec(rules=["other"]), EvidenceFolder(tmp_path, 1 << 30, 1e9), lambda *_: None)
    seen = event(1)
    recorder.on_event(seen, None)
    recorder.close()
    assert seen.data == {}
    pipeline = (EXAMPLES / "motion-crossing.toml").read_text(encoding="utf-8") + '\n[evidence]\nrules = ["door"]\n'
    with pytest.raises(PipelineError, match="evidence names rule 'door'; rules are gate"):
        read_pipeline(pipeline, "test")


def test_retention_by_age_and_bytes(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path, keep_bytes=250, keep_s=100.0)
    for number in range(6):
        path = folder.path(f"hall/e{number}.mp4")
        path.write_bytes(b"x" * 100)
        os.utime(path, (1000 + 10 * number,) * 2)
    (tmp_path / "hall/notes.txt").write_text("not ours")
    assert folder.tidy(1000 + 105) == 4  # the first is too old, the next three do not fit
    assert sorted(path.name for path in (tmp_path / "hall").iterdir()) == ["e4.mp4", "e5.mp4", "notes.txt"]
    assert folder.tidy(0.0) == 0  # a clock set back deletes nothing
    assert folder.tidy(1e6) == 2


MASKED = """
name = "gate"
[source]
kind = "file"
[[stages]]
name = "moves"
kind = "motion"
options = {min_area = 0.004}
[[stages]]
name = "follow"
kind = "track"
[[lines]]
name = "gate"
points = [[0.0, 0.5], [1.0, 0.5]]
[[masks]]
name = "left-half"
polygon = [[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]]
[[rules]]
name = "gate"
kind = "line"
line = "gate"
anchor = "center"
[evidence]
pre_s = 1.0
post_s = 1.0
"""


def test_under_a_mask_nothing_is_seen_in_any_evidence(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Snapshots and clips alike: clips are made from masked frames, because the camera's packets show everything."""
    pipeline = tmp_path / "masked.toml"
    pipeline.write_text(MASKED)
    code = main(["analyze", str(data / CARS), "--pipeline", str(pipeline), "--evidence", str(tmp_path / "evidence"), "--json"])
    assert code == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()][:-1]
    assert events
    for event in events:
        picture = cv2.imread(str(tmp_path / "evidence" / event["data"]["snapshot"]))
        assert picture[:, :370].max() <= 12  # small differences come from JPEG
        assert picture[:, 400:].mean() > 40
        shown = lumas(tmp_path / "evidence" / event["data"]["clip"])
        assert 22 <= len(shown) <= 28  # two seconds at 12.5 a second
        for luma in shown:
            assert luma[:, :370].max() <= 32
            assert luma[:, 400:].mean() > 40


def test_the_last_of_the_disk_is_not_for_evidence(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "8m") as disk:
        faults = DiskFaults()
        folder = EvidenceFolder(disk.folder, keep_bytes=1 << 30, keep_s=1e9, faults=faults)
        for number in range(30):
            folder.path(f"gate/e-{number}.jpg", 400_000).write_bytes(bytes(400_000))
            os.utime(disk.folder / f"gate/e-{number}.jpg", (number, number))
        left = shutil.disk_usage(disk.folder).free
        assert left >= KEEP_FREE_MIN_BYTES - 4096
        assert not (disk.folder / "gate/e-0.jpg").exists(), "the oldest makes room"
        assert (disk.folder / "gate/e-29.jpg").exists()
        disk.fill()
        recorder = EventRecorder(EvidenceSpec(), folder, lambda *_: None)
        recorder._store("gate/e-99.jpg", bytes(6_000_000))
        assert faults.present()["evidence"].state is DiskState.FULL
        assert not list(disk.folder.glob("gate/*99*"))
        disk.free()
        recorder._store("gate/e-100.jpg", bytes(1000))
        assert not faults.present()
        recorder.close()
