"""The rendered conveyor: exact truth, the same pixels from the same seed, clips that loop."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_server.simulate.conveyor.lighting import Lighting
from edgefleet_server.simulate.conveyor.parts import KINDS, LABELS, PartSpec, render_part
from edgefleet_server.simulate.conveyor.scene import STYLES, Scene
from edgefleet_server.simulate.conveyor.video import site_scene, truth_document, write_clip, write_site

QUIET = Lighting(
    azimuth_rad=-2.1, gain=(1.0, 1.0, 1.0), gradient=0.0, gradient_rad=0.0, vignette=0.0, hotspot=(0.5, 0.5), glare=0.0,
    flicker=0.0, noise=0.0, shadow=0.4,
)  # fmt: skip


def small_scene(seed: int = 3, **options: object) -> Scene:
    """A scene that is cheap to draw."""
    return Scene(seed, width=320, height=240, fps=10.0, seconds=6.0, **options)  # type: ignore[arg-type]  # options vary


def test_same_seed_same_pixels_whatever_the_order_of_asking() -> None:
    first, second = small_scene(), small_scene()
    indices = [0, 17, 59, 4]
    forwards = {index: first.frame(index) for index in indices}
    for index in reversed(indices):
        image, truth = second.frame(index)
        assert np.array_equal(image, forwards[index][0])
        assert truth == forwards[index][1]
    assert not np.array_equal(small_scene(4).frame(0)[0], forwards[0][0])


@pytest.mark.parametrize("style", sorted(STYLES))
def test_boxes_hold_exactly_the_pixels_that_a_part_changes(style: str) -> None:
    """Without noise, shadow apart, a frame differs from its empty belt inside the boxes and nowhere else."""
    scene = small_scene(style=style, lighting=QUIET)
    index = scene.crossings()[1].middle_frame
    image, truth = scene.frame(index)
    bare = Scene(3, width=320, height=240, fps=10.0, seconds=6.0, style=style, lighting=QUIET)
    bare._placed = ()
    changed = np.abs(image.astype(int) - bare.frame(index)[0]).max(axis=2)
    outside = changed.copy()
    for part in truth:
        x1, y1, x2, y2 = part.box_xyxy
        inside = changed[y1:y2, x1:x2]
        assert (inside > 12).mean() > 0.5
        for edge in (inside[0], inside[-1]):
            assert edge.max() > 12, "the box is wider than the part"
        margin = 9  # the cast shadow falls past the part's own pixels
        outside[max(0, y1 - margin) : y2 + margin, max(0, x1 - margin) : x2 + margin] = 0
    assert outside.max() <= 2


@given(seed=st.integers(0, 10_000), style=st.sampled_from(sorted(STYLES)), fps=st.sampled_from([5.0, 10.0, 15.0, 30.0]))
@settings(max_examples=12, deadline=None)
def test_truth_is_a_steady_procession(seed: int, style: str, fps: float) -> None:
    """Every part enters, passes the middle and leaves once a period; it moves one way at one speed; none overlap."""
    scene = Scene(seed, width=320, height=240, fps=fps, seconds=8.0, style=style)
    seen: dict[int, list[tuple[int, float]]] = {}
    for index in range(scene.period):
        parts = scene.truth(index)
        lefts = sorted(part.box_xyxy for part in parts)
        assert all(left[2] <= right[0] for left, right in pairwise(lefts)), "parts touch"
        for part in parts:
            x1, y1, x2, y2 = part.box_xyxy
            assert 0 <= x1 < x2 <= 320
            assert 0 <= y1 < y2 <= 240
            assert 0 < part.visible <= 1
            if part.visible == 1:
                seen.setdefault(part.id, []).append((index, (x1 + x2) / 2))
    crossings = scene.crossings()
    assert {crossing.id for crossing in crossings} == set(seen)
    speed = scene._loop / scene.period * (1 if scene.style.rightwards else -1)
    for places in seen.values():
        for (i, x), (j, later) in pairwise(places):
            if j == i + 1:
                assert later - x == pytest.approx(speed, abs=1.0)


def test_crossings_say_when_the_middle_is_passed() -> None:
    scene = small_scene(style="gears")
    for crossing in scene.crossings():
        before, at = (
            next((part for part in scene.truth(index % scene.period) if part.id == crossing.id), None)
            for index in (crossing.middle_frame + scene.period - 1, crossing.middle_frame)
        )
        assert before is not None
        assert at is not None
        assert at.label == crossing.label
        reach = scene._loop / scene.period + 2
        assert abs((at.box_xyxy[0] + at.box_xyxy[2]) / 2 - 160) <= reach
        assert abs((before.box_xyxy[0] + before.box_xyxy[2]) / 2 - 160) <= reach
        assert (at.box_xyxy[0] - 160) * -1 >= 0


def test_every_label_and_kind_appears_and_gaps_too() -> None:
    scene = Scene(5, style="mixed")
    crossings = scene.crossings()
    assert {crossing.label for crossing in crossings} == set(LABELS)
    assert {crossing.kind for crossing in crossings} == set(KINDS)
    steps = [after.middle_frame - before.middle_frame for before, after in pairwise(crossings)]
    assert max(steps) > 1.6 * float(np.median(steps))


def test_a_period_ends_where_it_starts() -> None:
    """The step over the seam of a looped clip is a step like any other."""
    scene = small_scene()
    assert np.array_equal(scene.frame(0)[0], scene.frame(scene.period)[0])
    frames = [scene.frame(index)[0].astype(int) for index in (scene.period - 2, scene.period - 1, scene.period)]
    usual, seam = (np.abs(after - before).mean() for before, after in pairwise(frames))
    assert seam < 1.3 * usual


def grey_part(label: str, kind: str, seed: int) -> np.ndarray:
    """A steel part of radius 60 in grey levels; one seed gives every label the same surface."""
    return render_part(PartSpec(label, kind, "steel", 60.0, 0.3, 1.0, seed), QUIET).add.mean(axis=2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_a_bad_part_lacks_exactly_one_hole(kind: str, seed: int) -> None:
    good, bad = grey_part("part_ok", kind, seed), grey_part("part_missing_hole", kind, seed)
    filled = (good < 40) & (bad > 70)
    hole = np.pi * (0.12 * 60) ** 2
    assert 0.6 * hole < filled.sum() < 1.4 * hole
    assert not ((good > 70) & (bad < 40)).any(), "metal went missing"


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", KINDS)
def test_a_scratch_is_long_and_plain_to_see(kind: str, seed: int) -> None:
    difference = np.abs(grey_part("part_scratched", kind, seed) - grey_part("part_ok", kind, seed))
    rows, columns = np.nonzero(difference > 12)
    assert len(rows) > 60
    assert max(np.ptp(rows), np.ptp(columns)) > 25
    assert len(rows) < 0.12 * np.pi * 60**2, "a scratch is no stain"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": 161}, "even"),
        ({"height": 100}, "at least"),
        ({"fps": 0}, "fps"),
        ({"seconds": 1}, "seconds"),
        ({"style": "donuts"}, "choose from"),
        ({"defects": 1.5}, "share"),
        ({"variety": 2.0}, "variety"),
    ],
)
def test_what_cannot_be_rendered_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Scene(1, **options)  # type: ignore[arg-type]  # wrong on purpose


def test_a_clip_decodes_to_exactly_its_frames_and_resembles_the_scene(tmp_path: Path) -> None:
    scene = small_scene()
    path = tmp_path / "clip.mp4"
    write_clip(path, scene)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert float(stream.average_rate or 0) == scene.fps
        decoded = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
    assert len(decoded) == scene.period
    for index in (0, 31, scene.period - 1):
        error = np.abs(decoded[index].astype(int) - scene.frame(index)[0]).mean()
        assert error < 8, f"frame {index} is off by {error:.1f} grey levels"
    with av.open(str(path)) as container:
        keys = [packet.is_keyframe for packet in container.demux(video=0) if packet.size]
    gaps = np.diff([index for index, key in enumerate(keys) if key])
    assert keys[0]
    assert gaps.max() <= 30
    assert [entry.name for entry in tmp_path.iterdir()] == ["clip.mp4"], "a temporary file was left behind"


def test_a_clip_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"old")
    scene = small_scene()
    scene._placed = (object(),)  # type: ignore[assignment]  # rendering fails half-way
    with pytest.raises(AttributeError):
        write_clip(path, scene)
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_site_has_cameras_that_differ_and_truth_beside_each(tmp_path: Path) -> None:
    cameras = write_site(tmp_path / "site", cameras=2, seconds=5.0, seed=8)
    assert [camera.name for camera in cameras] == ["camera-1", "camera-2"]
    documents = [json.loads(camera.truth.read_text()) for camera in cameras]
    assert documents[0] == json.loads(json.dumps(truth_document(site_scene(0, seconds=5.0, seed=8))))
    assert documents[0]["style"] != documents[1]["style"]
    for camera, document in zip(cameras, documents, strict=True):
        assert len(document["frames"]) == document["period_frames"] == 75
        assert camera.video.stat().st_size > 10_000
    with pytest.raises(ValueError, match="between 1 and 64"):
        write_site(tmp_path, cameras=0)
