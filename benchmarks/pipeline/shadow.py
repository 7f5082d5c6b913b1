"""Cost of a shadow candidate for its incumbent, and agreement of 8-bit with float models on real clips.

    python -m benchmarks.pipeline.shadow [--json] [--rounds N] [--seconds S] [--every N] [--only cost|agreement]

Cost: one camera (a clip at its own rate) with an incumbent of one thread, alternately without and with a candidate in its shadow
slot, within one run. Reports the ratios with ÷ without for the incumbent of each round: invocation and total latency (p50 and
p95), and frames processed per second; also lost frames and the candidate's frames. Medians over the rounds.

Agreement: the results of every variant for every N-th frame of a clip, compared like those of a shadow (`vision.agreement`): F1
of boxes of the same label at an overlap of 0.5. Models and clips come from the test data (EDGEFLEET_TEST_DATA, default
../shared).
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec

from benchmarks.pipeline.speed import DATA, SLOT, Deaf, loaded, pipeline_spec
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.vision.agreement import LabelledResult, agreement, confidence
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import SourceSpec
from edgefleet_contract.wire.messages import PipelineGauges, Running
from tests.packages import assemble

SHADOW_SLOT = "slot:shadow-detector"
WARM_S = 2.0
FLOOR = 0.3
RUNTIMES = ("lite_rt", "onnx_runtime", "open_vino")
CANDIDATES = ("ssd_mobilenet_v1", "yolox_nano")
CLIPS = ("one-by-one-person-detection.mp4", "car-detection.mp4")
FACE = "models/openvino/face-detection-adas-0001"


def window(runner: Runner, seconds: float) -> PipelineGauges:
    """The pipeline's gauges over `seconds`, after a warm-up that is not counted."""
    time.sleep(WARM_S)
    runner.gauges(1.0)
    runner.shadows()
    time.sleep(seconds)
    return next(iter(runner.gauges(seconds).values()))


def measure_cost(folders: dict[str, Path], candidate: str, rounds: int, seconds: float) -> dict[str, float]:
    """Medians of `rounds` rounds; 1 = the candidate costs its incumbent nothing."""
    runner = Runner(Deaf())
    loaded(runner, folders["ssd_mobilenet_v1"], 1, "a" * 64)
    spec = pipeline_spec("realtime")
    runner.set_pipelines([spec])
    rows: list[dict[str, float]] = []
    for number in range(rounds):
        alone = window(runner, seconds)
        digest = f"{number:064x}"
        runner.load(
            SHADOW_SLOT,
            lambda: LoadedModel.open(folders[candidate], runtimes=RUNTIMES, threads=1),
            lambda model, digest=digest: Running(package=model.manifest.name, version=model.manifest.version, digest=digest),
        )
        beside = window(runner, seconds)
        seen = runner.shadows()[SLOT.removeprefix("slot:")]
        runner.clear(SHADOW_SLOT)
        ratios = {
            f"{stage}_{share}": getattr(beside.latency[stage], f"{share}_ms") / getattr(alone.latency[stage], f"{share}_ms")
            for stage in ("invoke", "total")
            for share in ("p50", "p95")
        }
        lost = sum(beside.dropped.values()) - sum(alone.dropped.values())
        rows.append(
            {
                **ratios,
                "frames": beside.process_fps / alone.process_fps,
                "lost": float(lost),
                "looked_per_s": seen.frames / seconds,
                "share_of_frames": seen.frames / max(1, seen.frames_offered),
                "agreement": seen.agreement,
            }
        )
    runner.close()
    return {name: round(statistics.median(row[name] for row in rows), 3) for name in rows[0]}


def pictures(clip: Path, every: int) -> Iterator[Frame]:
    """Every so many frames of a clip."""
    source = FileSource(SourceSpec(kind="file", uri=str(clip), pace="fast"))
    source.open()
    try:
        yield from (frame for frame in source.frames() if frame.index % every == 0)
    finally:
        source.close()


def compare(one: LoadedModel, other: LoadedModel, clip: Path, every: int) -> dict[str, float]:
    """The agreement of two models on a clip, with the number of boxes and the mean confidence of each."""
    agreed, boxes, sure = [], [0, 0], [[], []]  # type: tuple[list[float], list[int], list[list[float]]]
    for frame in pictures(clip, every):
        results = [model.infer(frame, FLOOR, clip.name).result for model in (one, other)]
        found = agreement(LabelledResult(results[0], one.labels), LabelledResult(results[1], other.labels))
        assert found is not None
        agreed.append(found)
        for index, result in enumerate(results):
            boxes[index] += len(result.scores) if isinstance(result, Detections) else 0
            sure[index] += confidence(result)
    means = [statistics.fmean(scores) if scores else 0.0 for scores in sure]
    return {
        "frames": len(agreed),
        "agreement": round(statistics.fmean(agreed), 3),
        "frames_below_half": sum(value < 0.5 for value in agreed),
        "float_boxes": boxes[0],
        "int8_boxes": boxes[1],
        "float_confidence": round(means[0], 3),
        "int8_confidence": round(means[1], 3),
    }


def pairs(folder: Path) -> Iterator[tuple[str, LoadedModel, LoadedModel]]:
    """The same network with float and with 8-bit weights."""
    people = [assemble(DATA, folder, "person_detection_retail_0013", version) for version in ("1.0.0", "1.1.0")]
    faces = [_face(folder, people[0], kind) for kind in ("FP16", "FP16-INT8")]
    for name, (exact, coarse) in {"person-detection-retail-0013": people, "face-detection-adas-0001": faces}.items():
        yield name, LoadedModel.open(exact, runtimes=RUNTIMES, threads=1), LoadedModel.open(coarse, runtimes=RUNTIMES, threads=1)


def _face(folder: Path, like: Path, kind: str) -> Path:
    """A package around a detector of the same family as `like`, with another picture's size."""
    made = folder / "face" / kind
    made.mkdir(parents=True)
    text = (like / "model.toml").read_text(encoding="utf-8")
    text = text.replace("person_detection_retail_0013", "face_detection").replace("[1, 3, 320, 544]", "[1, 3, 384, 672]")
    (made / "model.toml").write_text(text[: text.index("[[golden]]")].replace('"person"', '"face"'), encoding="utf-8")
    for suffix in ("xml", "bin"):
        (made / f"model.{suffix}").symlink_to(DATA / FACE / kind / f"face-detection-adas-0001.{suffix}")
    return made


def measure_agreement(every: int) -> list[dict[str, Any]]:
    """Every pair on every clip."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, exact, coarse in pairs(Path(folder)):
            rows += [
                {"model": name, "clip": clip, **compare(exact, coarse, DATA / "media/videos" / clip, every)} for clip in CLIPS
            ]
            exact.close()
            coarse.close()
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--every", type=int, default=5, help="every so many frames are compared")
    parser.add_argument("--only", choices=("cost", "agreement"))
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    result: dict[str, Any] = {}
    if arguments.only != "agreement":
        with tempfile.TemporaryDirectory() as folder:
            folders = {name: assemble(DATA, Path(folder), name) for name in CANDIDATES}
            result["cost"] = {name: measure_cost(folders, name, arguments.rounds, arguments.seconds) for name in CANDIDATES}
    if arguments.only != "cost":
        result["agreement"] = measure_agreement(arguments.every)
    if arguments.json:
        print(json.dumps(result))
        return
    for name, row in result.get("cost", {}).items():
        print(f"{name} beside ssd_mobilenet_v1: {msgspec.json.encode(row).decode()}")
    for row in result.get("agreement", []):
        print(f"{row['model']} on {row['clip']}: {msgspec.json.encode(row).decode()}")


if __name__ == "__main__":
    main()
