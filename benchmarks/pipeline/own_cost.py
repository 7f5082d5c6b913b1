"""The agent's own processing time per frame: preprocessing, decoding of boxes, tracking and rules, without video decoding and
without the runtime.

    python -m benchmarks.pipeline.own_cost [--json]

A 768 x 432 i420 frame (a photograph of people) goes through the real steps of a pipeline on one thread. Tracking and rules are
those of `docs/examples/crossing.toml` over the boxes of every frame of a traffic clip; of each frame, the fastest of `PASSES`
passes counts (other programs can only add time), and of all frames the median. Goal for an input of 300 to 320 pixels: at most
1 ms. Models come from the test data (EDGEFLEET_TEST_DATA, default ../shared).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_step import FrameGraphState
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_agent.vision.image.preprocess import Preprocessor
from edgefleet_contract.package.manifest import InputSpec
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.spec import SourceSpec, read_pipeline

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared")
WIDTH, HEIGHT = 768, 432
CLIP = DATA / "media/videos/car-detection.mp4"
PIPELINE = Path(__file__).resolve().parents[2] / "docs/examples/crossing.toml"
ROUNDS, PASSES = 300, 10
GOAL_MS = 1.0

MODELS = {
    "ssd 300x300 uint8": ("models/tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite", "ssd"),
    "yolox 416x416 float32": ("models/onnx/yolox_nano/yolox_nano.onnx", "yolox"),
    "classifier 224x224 uint8": ("models/tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.tflite", "classification"),
}
INPUTS = {
    "input 320x320 int8 nhwc": InputSpec(shape=[1, 320, 320, 3], dtype="int8"),
    "input 320x320 uint8 nhwc letterbox": InputSpec(shape=[1, 320, 320, 3], fit="letterbox"),
    "input 320x320 float32 nchw mean/std": InputSpec(
        shape=[1, 3, 320, 320], dtype="float32", layout="nchw", mean=[123.7, 116.3, 103.5], std=[58.4, 57.1, 57.4]
    ),
    "input 320x320 float32 nchw linear": InputSpec(shape=[1, 3, 320, 320], dtype="float32", layout="nchw", resize="linear"),
}


def i420_frame() -> Frame:
    """The photograph as a decoder would give it."""
    picture = cv2.resize(read_picture(DATA / "media/images/people_detection.png").planes[0], (WIDTH, HEIGHT))
    flat = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).reshape(-1)
    luma, chroma, half = WIDTH * HEIGHT, WIDTH * HEIGHT // 4, (HEIGHT // 2, WIDTH // 2)
    planes = (flat[:luma].reshape(HEIGHT, WIDTH), flat[luma : luma + chroma].reshape(half), flat[luma + chroma :].reshape(half))
    return Frame(0, 0.0, 0.0, WIDTH, HEIGHT, "i420", tuple(np.ascontiguousarray(plane, np.uint8) for plane in planes))


def median_ms(step: Callable[[], object]) -> float:
    """Median of `ROUNDS` runs after a warm-up."""
    spans = []
    for _ in range(ROUNDS + 20):
        began_s = time.perf_counter()
        step()
        spans.append((time.perf_counter() - began_s) * 1000)
    return round(statistics.median(spans[20:]), 4)


def measure_model(frame: Frame, path: Path, head: str) -> dict[str, float]:
    """A loaded model: what comes before and after the runtime, and the runtime itself on one thread."""
    model = LoadedModel.from_file(path, head, threads=1)
    prepared = model.prepare(frame)
    outputs = model.invoke(prepared)
    pre_ms, post_ms = median_ms(lambda: model.prepare(frame)), median_ms(lambda: model.decode(outputs, prepared, 0.3))
    invoke_ms = statistics.median(model.infer(frame, 0.3).invoke_ms for _ in range(20))
    model.close()
    return {"pre_ms": pre_ms, "post_ms": post_ms, "own_ms": round(pre_ms + post_ms, 4), "invoke_ms": round(invoke_ms, 4)}


def measure_rules() -> float:
    """Milliseconds a frame of labels, tracker and rules."""
    model = LoadedModel.from_file(DATA / MODELS["ssd 300x300 uint8"][0], "ssd", threads=1)
    source = FileSource(SourceSpec(kind="file", uri=str(CLIP), pace="fast"))
    source.open()
    found = [(frame.index, frame.media_s, model.infer(frame, 0.2).result) for frame in source.frames()]
    source.close()
    labels = tuple(str(number) for number in range(91))
    spec = read_pipeline(PIPELINE.read_text(encoding="utf-8"), str(PIPELINE))
    graph = compile_graph(spec)
    passes = []
    for _ in range(PASSES):
        step = FrameGraphState(spec, graph, WIDTH, HEIGHT, 12.5)
        spans = []
        for number, (index, media_s, boxes) in enumerate(found):
            job = FrameJob(Frame(index, media_s, 0.0, WIDTH, HEIGHT, "gray", ()), number)
            began_s = time.perf_counter()
            step.add_result(graph.detectors[0], job, boxes, labels)
            step.run_between(graph.nodes, job)
            step.apply_rules(job)
            spans.append((time.perf_counter() - began_s) * 1000)
        passes.append(spans)
    model.close()
    return round(float(np.median(np.min(passes, axis=0))), 4)


def measure_input(frame: Frame, spec: InputSpec) -> dict[str, float]:
    """An input alone, without a model."""
    preprocessor = Preprocessor(spec, TensorSpec("input", tuple(spec.shape), np.dtype(spec.dtype)))
    workspace = preprocessor.workspace()
    pre_ms = median_ms(lambda: preprocessor.run(frame, workspace))
    return {"pre_ms": pre_ms, "post_ms": 0.0, "own_ms": pre_ms}


def main() -> None:
    """Print the table or its JSON."""
    parser = argparse.ArgumentParser(description="The agent's own cost a frame.")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    frame = i420_frame()
    rows = {name: measure_model(frame, DATA / path, head) for name, (path, head) in MODELS.items()}
    rows |= {name: measure_input(frame, spec) for name, spec in INPUTS.items()}
    rules_ms = measure_rules()
    if arguments.json:
        print(json.dumps({"frame": [WIDTH, HEIGHT], "goal_ms": GOAL_MS, "cases": rows, "rules_ms": rules_ms}))
        return
    print(f"{'768 x 432 i420 frame, one thread':38}{'pre':>9}{'post':>9}{'own':>9}  ms (goal at 300-320: {GOAL_MS:g})")
    for name, row in rows.items():
        print(f"{name:38}{row['pre_ms']:9.3f}{row['post_ms']:9.3f}{row['own_ms']:9.3f}")
    whole_ms = rows["ssd 300x300 uint8"]["own_ms"] + rules_ms
    print(f"tracking and rules {rules_ms:.3f} ms; with pre and post of the ssd {whole_ms:.3f} ms")


if __name__ == "__main__":
    main()
