"""Savings and misses of a motion gate: six visitors, with and without the gate, and with every third frame only.

    python -m benchmarks.pipeline.motion_gate [--json]

`one-by-one-person-detection.mp4` goes through the same detector three times. Reports the frames that the model processed, the
CPU time of the whole run, the visits found of six, and the largest difference to the labelled frames (tolerance 3). Then the
same for twenty seconds of a still picture with camera noise: the cost of an idle camera compared with that of every frame.
Models and clip come from the test data (EDGEFLEET_TEST_DATA, default ../shared).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import av
import msgspec
import numpy as np

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase, Running
from tests.packages import assemble

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared")
CLIP = DATA / "media/videos/one-by-one-person-detection.mp4"
PIPELINE = Path(__file__).resolve().parents[2] / "docs/examples/gated-visits.toml"
MODEL = "ssd_mobilenet_v1"
STILL_FRAMES = 500


class Visits:
    """Listens to one run."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_event(self, event: Event) -> None:
        """Keep visits that are complete."""
        if event.phase is EventPhase.END:
            self.events.append(event)

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        """Nothing of a benchmark may fail."""
        raise AssertionError(f"{pipeline}: {text} {over}")


def pipeline(clip: Path, gate: bool, every: int) -> PipelineSpec:
    """The example pipeline over `clip`."""
    spec = read_pipeline(PIPELINE.read_text(encoding="utf-8"), str(PIPELINE))
    stages = [msgspec.structs.replace(stage, every=every) if stage.kind == "detect" else stage for stage in spec.stages]
    if not gate:
        stages = [msgspec.structs.replace(stage, from_="") if stage.kind == "detect" else stage for stage in stages[1:]]
    return msgspec.structs.replace(spec, stages=stages, source=SourceSpec(kind="file", uri=str(clip), pace="fast"))


def run(folder: Path, spec: PipelineSpec) -> tuple[dict[str, Any], list[Event]]:
    """Frames, processor seconds and events of one run."""
    listener = Visits()
    runner = Runner(listener)
    runner.load(
        "slot:detector",
        lambda: LoadedModel.open(folder, runtimes=installed_runtimes(), threads=1),
        lambda model: Running(package=model.manifest.name, version=model.manifest.version, digest=""),
    )
    began_s = time.process_time()
    runner.set_pipelines([spec])
    done = runner.runs[spec.name]
    done.done.wait()
    used_s = time.process_time() - began_s
    runner.close()
    analyzed = done.frames_total - done.quiet_total
    return {"frames": done.frames_total, "asked": analyzed, "cpu_s": round(used_s, 2)}, listener.events


def worst_frames(events: list[Event]) -> int:
    """The largest difference of a first or last frame to what people noted."""
    truth = json.loads((DATA / "media/videos/expected.json").read_text())["videos"][CLIP.name]["ground_truth"]["visits"]
    pairs = zip(events, truth, strict=False)
    worst = 0
    for event, real in pairs:
        assert event.start_frame is not None
        assert event.end_frame is not None
        worst = max(worst, abs(event.start_frame - real["first_frame"]), abs(event.end_frame - real["last_frame"]))
    return worst


def still(into: Path) -> Path:
    """A clip of one picture with grain, as a camera at rest records it."""
    with av.open(str(CLIP)) as source:
        picture = next(source.decode(video=0)).to_ndarray(format="rgb24").astype(np.int16)
    dice = np.random.default_rng(1)
    with av.open(str(into), "w") as target:
        stream = target.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = picture.shape[1], picture.shape[0], "yuv420p"
        for _ in range(STILL_FRAMES):
            grain = np.clip(picture + dice.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
            target.mux(stream.encode(av.VideoFrame.from_ndarray(grain, format="rgb24")))
        target.mux(stream.encode())
    return into


def measure() -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory() as folder:
        package = assemble(DATA, Path(folder), MODEL)
        figures: dict[str, Any] = {}
        for title, gate, every in (("every frame", False, 1), ("gate", True, 1), ("gate, every 3rd", True, 3)):
            row, events = run(package, pipeline(CLIP, gate, every))
            figures[title] = {**row, "visits": len(events), "worst_frames": worst_frames(events)}
        idle = still(Path(folder) / "still.mp4")
        for title, gate in (("still, every frame", False), ("still, gate", True)):
            figures[title], _ = run(package, pipeline(idle, gate, 1))
    return figures


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    figures = measure()
    if parser.parse_args().json:
        print(json.dumps(figures))
        return
    for title, row in figures.items():
        print(f"{title:20}", "  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
