"""The gate by packet sizes: passed packets, and detection of all persons in real clips."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.sources.bitrate_gate import HOLD_S, LEARN_S, BitrateGate, TriggerGate
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.cameras.rtsp import RtspSource
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

FPS = 25.0
GROUP = 50


def stream(seconds: float, start_s: float = 0.0, size: int = 300) -> Iterator[tuple[int, bool, float]]:
    """Packets as a camera sends them: a large key frame every two seconds, small ones between."""
    first = round(start_s * FPS)
    for number in range(first, first + round(seconds * FPS)):
        key = number % GROUP == 0
        yield (40_000 if key else size), key, number / FPS


def test_quiet_closes_activity_opens_at_once_and_holds() -> None:
    gate = BitrateGate()
    assert all(gate.check(*packet) for packet in stream(LEARN_S - 0.1))  # the usual rate is not known yet
    quiet = [gate.check(*packet) for packet in stream(60, LEARN_S)]
    assert not any(quiet[round((HOLD_S + 0.2) * FPS) :])
    busy = [gate.check(*packet) for packet in stream(1, LEARN_S + 60, size=3000)]
    assert busy.index(True) <= 3
    after = [gate.check(*packet) for packet in stream(6, LEARN_S + 61)]
    closed = after.index(False) / FPS
    assert HOLD_S <= closed <= HOLD_S + 1.0


def test_an_encoder_that_needs_nothing_is_not_opened_by_next_to_nothing() -> None:
    gate = BitrateGate()
    for packet in stream(60, size=20):
        gate.check(*packet)
    assert not any(gate.check(*packet) for packet in stream(2, 60, size=60))
    assert any(gate.check(*packet) for packet in stream(2, 62, size=600))


def test_a_busy_hour_does_not_become_usual_at_once() -> None:
    gate = BitrateGate()
    for packet in stream(100):
        gate.check(*packet)
    assert all([gate.check(*packet) for packet in stream(60, 100, size=4000)][5:])


def test_a_trigger_opens_it() -> None:
    gate = TriggerGate()
    assert all(gate.check(*packet) for packet in stream(5))  # unknown
    gate.set_active(False)
    closing = [gate.check(*packet) for packet in stream(5, 5)]
    assert closing.index(False) / FPS == pytest.approx(HOLD_S, abs=0.1)
    gate.set_active(True)
    assert all(gate.check(*packet) for packet in stream(5, 10))
    gate.set_active(None)  # the camera's events are unavailable: all pictures are decoded
    assert all(gate.check(*packet) for packet in stream(5, 15))


def decoded(clip: Path, gate: str = "packets") -> tuple[list[int], list[float], int, int]:
    """Returns numbers and times of the frames, the count of withheld packets, and that of all frames."""
    source = FileSource(SourceSpec(kind="file", uri=str(clip), pace="fast", options={"gate": gate}))
    info = source.open()
    frames = [(frame.index, frame.media_s) for frame in source.frames()]
    skipped = len(source.gated)
    source.close()
    return [index for index, _ in frames], [media_s for _, media_s in frames], skipped, info.frames


@pytest.mark.parametrize(("clip", "what"), [("one-by-one-person-detection.mp4", "visits"), ("car-detection.mp4", "cars")])
def test_no_person_of_the_real_clips_is_missed(data: Path, clip: str, what: str) -> None:
    stays = json.loads((data / "media/videos/expected.json").read_text())["videos"][clip]["ground_truth"][what]
    seen, _, skipped, frames = decoded(data / "media/videos" / clip)
    assert len(seen) + skipped == frames
    for stay in stays:
        inside = set(range(stay["first_frame"], stay["last_frame"] + 1))
        assert stay["first_frame"] in seen
        assert len(inside - set(seen)) <= 0.02 * len(inside)


def test_what_is_decoded_has_its_own_number_and_time(data: Path) -> None:
    clip = data / "media/videos/car-detection.mp4"
    every, times, none, _ = decoded(clip, "")
    some, their_times, skipped, _ = decoded(clip)
    assert none == 0
    assert skipped == 0 or len(some) < len(every)
    assert their_times == pytest.approx([times[index] for index in some])


@pytest.mark.parametrize("kind", ["file", "rtsp"])
def test_another_gate_is_refused(kind: str) -> None:
    make = {"file": FileSource, "rtsp": RtspSource}[kind]
    with pytest.raises(PipelineError, match="must be 'packets'"):
        make(SourceSpec(kind=kind, uri="rtsp://camera/main", options={"gate": "garden"}))
