"""Accuracy of the times of visits: first and last frame of six visitors, by model and by mechanism.

    python -m benchmarks.pipeline.visits [--json]

Every frame of `one-by-one-person-detection.mp4` goes through each model once; its boxes then go through tracker and rules four
times: with high scores only, with tracks that start and continue on low scores, with the path over the border added, and with
both (the way of pipelines). Reports the difference to the labels in frames (0.1 s): entry/exit, one pair per visitor. The
tolerance of the labels is 3 frames. Models and clip come from the test data (EDGEFLEET_TEST_DATA, default ../shared).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_step import FrameGraphState
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.spec import SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase
from tests.packages import assemble

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared")
CLIP = DATA / "media/videos/one-by-one-person-detection.mp4"
PIPELINE = Path(__file__).resolve().parents[2] / "docs/examples/person-visits.toml"
MODELS = ("yolox_nano", "person_detection_retail_0013", "ssd_mobilenet_v1")
MIN_SCORE, LOW_SCORE = 0.5, 0.2

Found = list[tuple[int, float, Detections]]


def detect(folder: Path) -> tuple[Found, tuple[str, ...]]:
    """(frame, media_s, boxes) of every frame of the clip, and the model's labels."""
    model = LoadedModel.open(folder, runtimes=installed_runtimes())
    source = FileSource(SourceSpec(kind="file", uri=str(CLIP), pace="fast"))
    source.open()
    found: Found = []
    for frame in source.frames():
        result = model.infer(frame, LOW_SCORE).result
        assert isinstance(result, Detections)
        found.append((frame.index, frame.media_s, result))
    source.close()
    model.close()
    return found, model.labels


def visits(found: Found, labels: tuple[str, ...], low_score: float) -> list[Event]:
    """The visits that the example pipeline reports."""
    spec = read_pipeline(PIPELINE.read_text(encoding="utf-8"), str(PIPELINE))
    stages = [
        msgspec.structs.replace(stage, options={**stage.options, "low_score": low_score}) if stage.kind == "track" else stage
        for stage in spec.stages
    ]
    spec = msgspec.structs.replace(spec, stages=stages)
    graph = compile_graph(spec)
    step = FrameGraphState(spec, graph, 768, 432, 10.0)
    events: list[Event] = []
    for number, (index, media_s, boxes) in enumerate(found):
        job = FrameJob(Frame(index, media_s, 0.0, 768, 432, "gray", ()), number)
        step.add_result(graph.detectors[0], job, boxes[boxes.scores >= low_score], labels)
        step.run_between(graph.nodes, job)
        events += step.apply_rules(job)
    events += step.finish()[0]
    return [event for event in events if event.rule == "visits" and event.phase is EventPhase.END]


def errors(events: Sequence[Event], truth: list[dict[str, Any]], border: bool) -> list[tuple[int, int]]:
    """(entry, exit) minus what people saw. Without `border`: first and last frame with a box."""
    pairs = []
    for event, real in zip(events, truth, strict=False):
        first = event.start_frame if border else event.data["first_seen_frame"]
        last = event.end_frame if border else event.data["last_seen_frame"]
        assert first is not None
        assert last is not None
        pairs.append((first - real["first_frame"], last - real["last_frame"]))
    return pairs


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    truth = json.loads((DATA / "media/videos/expected.json").read_text())["videos"][CLIP.name]["ground_truth"]["visits"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            found, labels = detect(assemble(DATA, Path(folder), name))
            for low_score in (MIN_SCORE, LOW_SCORE):
                events = visits(found, labels, low_score)
                for border in (False, True):
                    pairs = errors(events, truth, border)
                    worst = max((abs(error) for pair in pairs for error in pair), default=0)
                    rows.append(
                        {"model": name, "low_scores": low_score < MIN_SCORE, "border": border, "visits": len(events),
                         "worst": worst, "errors": pairs}
                    )  # fmt: skip
    if arguments.json:
        print(json.dumps(rows))
        return
    print(f"{'model':30} {'low scores':10} {'border':6} visits worst  entry/exit error of each visitor, frames")
    for row in rows:
        pairs = "  ".join(f"{entry:+d}/{leave:+d}" for entry, leave in row["errors"])
        yes = ["no", "yes"]
        print(f"{row['model']:30} {yes[row['low_scores']]:10} {yes[row['border']]:6} {row['visits']:6} {row['worst']:5}  {pairs}")


if __name__ == "__main__":
    main()
