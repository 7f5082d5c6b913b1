"""Cascades, ensembles, conditions and re-identification on rendered scenes, through real models and real files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges, Running
from tests.agent.cli.test_analyze import beginning
from tests.agent.pipeline.scenes import BLUE, RED, Patch, film, mean_colour, stripes
from tests.packages import MakePackage

WAIT_S = 60.0
MOVES = '[[stages]]\nname = "moves"\nkind = "motion"\noptions = {join = 0.0}\n'
FOLLOW = '[[stages]]\nname = "follow"\nkind = "track"\nfrom = "moves"\n'
COLOUR = '[[stages]]\nname = "colour"\nkind = "crops"\nmodel = "slot:colour"\nmin_score = 0.3\n'
VISITS = '[[rules]]\nname = "visits"\nkind = "visit"\nmin_s = 0.3\n'


class RecordingListener:
    """A listener that stores events."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.faults: list[str] = []

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        self.faults.append(text)


def spec(video: Path, *parts: str) -> PipelineSpec:
    read = read_pipeline('name = "scene"\n[source]\nkind = "file"\n' + "".join(parts), "test")
    return msgspec.structs.replace(read, source=SourceSpec(kind="file", uri=str(video), pace="fast"))


def played(pipeline: PipelineSpec, packages: dict[str, Path]) -> tuple[list[Event], PipelineGauges]:
    """The completed events, and the gauges."""
    listener = RecordingListener()
    runner = Runner(listener)
    try:
        for slot, folder in packages.items():

            def opened(folder: Path = folder) -> LoadedModel:
                return LoadedModel.open(folder, runtimes=["onnx_runtime", "lite_rt"])

            runner.load(f"slot:{slot}", opened, lambda m: Running(package=m.manifest.name, version="1.0.0", digest="a" * 64))
        runner.set_pipelines([pipeline])
        run = runner.runs["scene"]
        assert run.done.wait(WAIT_S)
        assert run.error is None
        gauges = runner.gauges(1.0)["scene"]
    finally:
        runner.close()
    assert listener.faults == []
    return [event for event in listener.events if event.phase is EventPhase.END], gauges


def two_pass(at_s: float) -> Sequence[Patch]:
    """A red box moves right along the top, a blue one left along the bottom, after the light has settled."""
    if at_s < 0.6:
        return ()
    return ((RED, 30 + 40 * (at_s - 0.6), 40, 40, 60), (BLUE, 250 - 40 * (at_s - 0.6), 150, 40, 60))


@pytest.mark.parametrize("batch", ["n", 1])
def test_events_hold_the_classes_of_their_crops(tmp_path: Path, batch: str | int) -> None:
    """Batches and single crops give the same results."""
    video = film(tmp_path / "two.mp4", 4.0, two_pass)
    package = mean_colour(tmp_path / "colour", batch=batch)
    found, gauges = played(spec(video, MOVES, FOLLOW, COLOUR + 'from = "follow"\n', VISITS), {"colour": package})
    by_label = {event.data["attributes"]["colour"]["label"]: event.data["attributes"]["colour"] for event in found}
    assert sorted(by_label) == ["blue", "red"]
    assert by_label["red"]["score"] > 0.75
    assert by_label["red"]["runs"] > 20
    assert gauges.crops_fps > 40
    assert gauges.crops_shed == 0
    assert gauges.labels.keys() >= {"blue", "red"}
    assert sum(gauges.labels.values()) == gauges.crops_fps
    assert gauges.latency["crops"].p50_ms > 0


def test_limits_of_crops_are_enforced_and_counted(tmp_path: Path) -> None:
    video = film(tmp_path / "two.mp4", 4.0, two_pass)
    package = mean_colour(tmp_path / "colour")
    one = COLOUR + 'from = "follow"\noptions = {max = 1}\n'
    found, gauges = played(spec(video, MOVES, FOLLOW, one, VISITS), {"colour": package})
    appearance = sorted(event.data["attributes"]["colour"]["runs"] for event in found)
    assert appearance[0] >= appearance[1] - 2 > 8  # both were analyzed
    assert gauges.crops_shed >= appearance[0]
    settled = COLOUR + 'from = "follow"\noptions = {runs_max = 3}\n'
    found, _ = played(spec(video, MOVES, FOLLOW, settled, VISITS), {"colour": package})
    assert [event.data["attributes"]["colour"]["runs"] for event in found] == [3, 3]
    seldom = COLOUR + 'from = "follow"\noptions = {every_s = 1.0}\n'
    found, _ = played(spec(video, MOVES, FOLLOW, seldom, VISITS), {"colour": package})
    assert all(3 <= event.data["attributes"]["colour"]["runs"] <= 4 for event in found)


def test_objects_beyond_the_limit_are_counted_and_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    video = film(tmp_path / "two.mp4", 3.0, two_pass)
    found, gauges = played(spec(video, MOVES, FOLLOW + "options = {max_objects = 1}\n", VISITS), {})
    assert gauges.boxes_shed > 10
    logged = [record.message for record in caplog.records if "boxes_shed" in record.message]
    assert [text.split(" are ")[0] for text in logged] == ["scene: 1 boxes of a frame"]
    assert found
    assert played(spec(video, MOVES, FOLLOW, VISITS), {})[1].boxes_shed == 0


def test_a_condition_and_a_rule_by_attribute(tmp_path: Path) -> None:
    video = film(tmp_path / "two.mp4", 4.0, two_pass)
    package = mean_colour(tmp_path / "colour")
    top = '[[zones]]\nname = "top"\npolygon = [[0, 0], [1, 0], [1, 0.5], [0, 0.5]]\n'
    stage = COLOUR + 'from = "follow"\nwhen = {zone = "top"}\n'
    found, _ = played(spec(video, MOVES, FOLLOW, stage, top, VISITS), {"colour": package})
    assert sorted(event.data.get("attributes", {}).get("colour", {}).get("label", "") for event in found) == ["", "red"]
    blue = VISITS + 'where = {colour = ["blue"]}\n'
    found, _ = played(spec(video, MOVES, FOLLOW, COLOUR + 'from = "follow"\n', blue), {"colour": package})
    assert [event.data["attributes"]["colour"]["label"] for event in found] == ["blue"]


def test_several_models_about_one_crop(tmp_path: Path) -> None:
    """Two classifiers agree; a third one that knows only green does not take part."""
    video = film(tmp_path / "two.mp4", 4.0, two_pass)
    packages = {"colour": mean_colour(tmp_path / "one"), "other": mean_colour(tmp_path / "other")}
    first = COLOUR + 'from = "follow"\n'
    second = first.replace('"colour"', '"again"').replace("slot:colour", "slot:other")
    joined = '[[stages]]\nname = "both"\nkind = "ensemble"\nof = ["colour", "again"]\noptions = {method = "vote", votes = 2}\n'
    found, _ = played(spec(video, MOVES, FOLLOW, first, second, joined, VISITS), packages)
    assert sorted(event.data["attributes"]["both"]["label"] for event in found) == ["blue", "red"]
    assert all(event.data["attributes"]["both"]["score"] == pytest.approx(1.0) for event in found)


def test_the_whole_picture_as_a_label_and_a_condition(tmp_path: Path) -> None:
    """A classifier without a detector: events while the picture is red, and crops only during that time."""

    def flash(at_s: float) -> Sequence[Patch]:
        ground: Patch = (RED if 1.0 <= at_s < 3.0 else BLUE, 0, 0, 320, 240)
        return (ground,)

    video = film(tmp_path / "flash.mp4", 4.0, flash)
    package = mean_colour(tmp_path / "colour")
    whole = '[[stages]]\nname = "scene"\nkind = "classify"\nmodel = "slot:colour"\nlabels = ["red"]\nmin_score = 0.6\n'
    follow = '[[stages]]\nname = "follow"\nkind = "track"\nfrom = "scene"\n'
    (event,), _ = played(spec(video, whole, follow, VISITS), {"colour": package})
    assert (event.label, event.start_frame, event.end_frame) == ("red", 10, 29)
    again = whole.replace('"scene"', '"again"').replace('labels = ["red"]\n', "") + 'when = {stage = "scene", labels = ["red"]}\n'
    _, gauges = played(spec(video, whole, again, follow, VISITS), {"colour": package})
    assert gauges.detection_fps == 40 + 20
    assert gauges.labels == {"red": 40}


GREEN = (30, 230, 30)
SIGN = (RED, GREEN, RED, BLUE)


def sign(at_s: float) -> Sequence[Patch]:
    """Four stripes that move through the picture together."""
    left = 10 + 60 * at_s
    return tuple((colour, left + 24 * place, 90, 24, 40) for place, colour in enumerate(SIGN)) if at_s > 0.6 else ()


def test_detector_crops_text(tmp_path: Path) -> None:
    """Text read on a tracked object becomes the track's attribute, with a score for each character."""
    video = film(tmp_path / "sign.mp4", 3.0, sign)
    read = '[[stages]]\nname = "plate"\nkind = "crops"\nmodel = "slot:text"\nmin_score = 0.3\n'
    where = VISITS + 'where = { plate = ["RRB"] }\n'
    found, gauges = played(spec(video, MOVES, FOLLOW, read, where), {"text": stripes(tmp_path / "stripes")})
    assert gauges.dropped.get("error", 0) == 0
    assert gauges.labels == {}  # what was read may be a person's plate
    (event,) = found
    plate = event.data["attributes"]["plate"]
    assert plate["label"] == "RRB"
    assert plate["runs"] > 5
    assert len(plate["characters"]) == 3
    assert min(plate["characters"]) > 0.5


def test_classifiers_of_the_whole_frame_average_all_that_they_say(tmp_path: Path) -> None:
    """One is undecided between red and blue, one between green and red: the class with the highest mean wins."""
    ground: Patch = ((150, 20, 160), 0, 0, 320, 240)
    video = film(tmp_path / "doubt.mp4", 2.0, lambda _: (ground,))
    packages = {"one": mean_colour(tmp_path / "one"), "other": mean_colour(tmp_path / "other")}
    text = (packages["other"] / "model.toml").read_text()
    (packages["other"] / "model.toml").write_text(text.replace("['red', 'green', 'blue']", "['red', 'blue', 'green']"))
    stages = "".join(
        f'[[stages]]\nname = "{name}"\nkind = "classify"\nmodel = "slot:{name}"\nmin_score = 0.6\n' for name in packages
    )
    follow = '[[stages]]\nname = "follow"\nkind = "track"\nfrom = "both"\nmin_score = 0.3\n'
    for method, expected in (("mean", "red"), ("vote", None)):
        both = '[[stages]]\nname = "both"\nkind = "ensemble"\nof = ["one", "other"]\nmin_score = 0.3\n'
        both += f'options = {{method = "{method}", votes = 2}}\n'
        found, _ = played(spec(video, stages, both, follow, VISITS), packages)
        assert [event.label for event in found] == ([expected] if expected else [])
        if expected:
            assert found[0].score == pytest.approx(150 / 255, abs=0.03)


def meet(at_s: float) -> Sequence[Patch]:
    """Red from the left and blue from the right move behind a pillar, turn round and leave on the side where they entered."""
    pillar: Patch = ((60, 60, 60), 125, 0, 70, 240)
    if at_s < 0.6:  # the light settles before the objects appear
        return (pillar,)
    moved = 50 * min(at_s - 0.6, 2.0) if at_s < 3.4 else 50 * max(0.0, 5.4 - at_s)
    return ((RED, 40 + moved, 90, 36, 60), (BLUE, 244 - moved, 90, 36, 60), pillar)


@pytest.mark.parametrize("by_appearance", [True, False])
def test_who_turned_round_behind_a_pillar(tmp_path: Path, by_appearance: bool) -> None:
    """By position and speed alone the two are confused; embeddings of the crops distinguish them."""
    video = film(tmp_path / "meet.mp4", 5.4, meet)
    packages = {"colour": mean_colour(tmp_path / "colour"), "appearance": mean_colour(tmp_path / "appearance", "embedding")}
    appearance = '[[stages]]\nname = "appearance"\nkind = "crops"\nmodel = "slot:appearance"\nfrom = "moves"\n'
    options = (
        'options = {max_lost_s = 4.0, appearance = "appearance", similarity = 0.9}\n'
        if by_appearance
        else "options = {max_lost_s = 4.0}\n"
    )
    parts = [MOVES, *([appearance] if by_appearance else []), FOLLOW + options, COLOUR + 'from = "follow"\n']
    sides = "".join(
        f'[[zones]]\nname = "{name}"\npolygon = {polygon}\n[[rules]]\nname = "{name}"\nkind = "zone"\nzone = "{name}"\n'
        "min_s = 0.2\n"
        for name, polygon in (("west", [[0, 0], [0.4, 0], [0.4, 1], [0, 1]]), ("east", [[0.6, 0], [1, 0], [1, 1], [0.6, 1]]))
    )
    found, _ = played(spec(video, *parts, sides), packages)
    tracks: dict[str, list[Any]] = {name: [event.track_id for event in found if event.zone == name] for name in ("west", "east")}
    if by_appearance:
        assert len(set(tracks["west"])) == len(set(tracks["east"])) == 1
        assert tracks["west"] != tracks["east"]
    else:
        assert len(set(tracks["west"])) > 1


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (COLOUR, "a crops stage reads a detect, track, motion, ensemble or crops stage; before it: none"),
        (MOVES + FOLLOW + COLOUR + "options = {max = 0}\n", "option 'max' is 0; it goes from 1 to 64"),
        (MOVES + FOLLOW + COLOUR + 'when = {stage = "moves"}\n', "is about its own boxes"),
        (
            MOVES + FOLLOW.replace('"moves"\n', '"moves"\noptions = {appearance = "x"}\n'),
            "'x' is no crops stage from 'moves'",
        ),
        (MOVES + '[[stages]]\nname = "both"\nkind = "ensemble"\nof = ["moves"]\n', "an ensemble is `of` two or more"),
        (MOVES + FOLLOW + COLOUR.replace("slot:", "file:"), "neither 'slot:NAME' nor 'package:DIR'"),
    ],
)
def test_refused_with_its_line(parts: str, message: str) -> None:
    runner = Runner(RecordingListener())
    with pytest.raises(PipelineError) as error:
        runner.check(read_pipeline('name = "scene"\n[source]\nkind = "file"\n' + parts, "p.toml"))
    assert message in str(error.value)
    assert str(error.value).startswith("p.toml:")
    runner.close()


def test_a_model_that_does_something_else(tmp_path: Path) -> None:
    video = film(tmp_path / "one.mp4", 0.5, two_pass)
    appearance = '[[stages]]\nname = "appearance"\nkind = "crops"\nmodel = "slot:colour"\nfrom = "moves"\n'
    parts = (MOVES, appearance, FOLLOW + 'options = {appearance = "appearance"}\n')
    with pytest.raises(PipelineError, match=r"mean-colour@1\.0\.0 does classification, not embedding"):
        played(spec(video, *parts), {"colour": mean_colour(tmp_path / "colour")})


PART = """
[[stages]]
name = "part"
kind = "crops"
from = "moves"
model = "slot:part"
labels = ["person"]
options = {margin = 0.1}
"""


def test_objects_found_in_a_crop_are_analyzed_again(tmp_path: Path, data: Path, package: MakePackage) -> None:
    """Motion, a real detector on moving regions, a classifier on its detections; both give attributes of the moving region's
    track."""
    visitors = data / "media/videos/one-by-one-person-detection.mp4"
    clip = beginning(visitors, tmp_path / "first.mp4", 120)
    packages = {"part": package("ssd_mobilenet_v1"), "colour": mean_colour(tmp_path / "colour")}
    colour = COLOUR.replace("min_score = 0.3", "min_score = 0.1") + 'from = "part"\n'
    found, gauges = played(spec(clip, MOVES, PART, colour, FOLLOW, VISITS), packages)
    attributes_of = [event.data["attributes"] for event in found if "attributes" in event.data]
    best = max(attributes_of, key=lambda attributes: attributes["part"]["runs"])
    assert best["part"]["label"] == "person"
    assert best["part"]["score"] > 0.4
    left, top, right, bottom = best["part"]["box"]  # of the frame, not of the crop
    assert 0 <= left < right <= 768
    assert bottom - top > 150
    assert best["colour"]["label"] in ("red", "green", "blue")
    assert gauges.crops_fps > 0


def test_a_model_that_remembers_wants_to_know_whom(tmp_path: Path, data: Path, package: MakePackage) -> None:
    """A stateful model has a state per track; boxes without a track have none."""
    video = film(tmp_path / "two.mp4", 2.0, two_pass)
    packages = {"colour": package("traffic_ssd_lstm")}
    part = COLOUR.replace("min_score = 0.3\n", "")
    with pytest.raises(PipelineError, match="is stateful; let stage 'colour' read a track stage"):
        played(spec(video, MOVES, part + 'from = "moves"\n', FOLLOW, VISITS), packages)
    found, gauges = played(spec(video, MOVES, FOLLOW, part + 'from = "follow"\noptions = {runs_max = 3}\n', VISITS), packages)
    assert len(found) == 2
    assert gauges.crops_fps == 6
