"""A slot whose model supports two threads: two cameras are computed in parallel, each in its order."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from edgefleet_agent.backends.base import Array, Session
from edgefleet_agent.pipeline.graph.frame_job import FrameJob
from edgefleet_agent.pipeline.graph.frame_priority import FrameClaim
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.scheduling.idle_time import STARVED_FRAMES, IdleTime
from edgefleet_agent.pipeline.scheduling.model_thread import ModelThread
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.detections import Classes
from edgefleet_contract.core.errors import ModelError
from edgefleet_contract.pipeline.spec import SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Running
from tests.agent.pipeline.scheduling.test_runner import PERSON, RecordingListener
from tests.packages import MakePackage

CLASSIFIER = """
name = "classifier"
version = "1.0.0"
task = "classification"
labels_file = "imagenet_labels.txt"
head = { family = "classification" }
[[inputs]]
shape = [1, 224, 224, 3]
[[variants]]
name = "two"
format = "openvino_ir"
files = ["mobilenet_v2_1.0_224_quant.xml", "mobilenet_v2_1.0_224_quant.bin"]
runtimes = ["open_vino"]
options = { open_vino = { streams = 2 } }
"""
WAIT_S = 60.0
MEET_S = 0.2


class Two(Session):
    """Two sessions as one. Records whether runs overlap, and refuses more than two at a time."""

    def __init__(self, sessions: list[Session]) -> None:
        self.inputs, self.outputs, self.placement = sessions[0].inputs, sessions[0].outputs, sessions[0].placement
        self.parallel = 2
        self.met = threading.Event()
        self._free = sessions
        self._lock = threading.Lock()

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        with self._lock:
            if not self._free:
                raise ModelError("asked by three")
            session = self._free.pop()
            if not self._free:
                self.met.set()
        self.met.wait(MEET_S)
        try:
            return session.infer(inputs)
        finally:
            with self._lock:
                self._free.append(session)

    def close(self) -> None:
        for session in self._free:
            session.close()


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner(RecordingListener())
    yield made
    made.close()


def running(model: LoadedModel) -> Running:
    return Running(package=model.manifest.name, version=model.manifest.version, digest="0" * 64)


def test_two_cameras_meet_and_a_swap_to_one_thread_loses_nothing(data: Path, package: MakePackage, runner: Runner) -> None:
    folder = package("ssd_mobilenet_v1")

    def plain() -> LoadedModel:
        return LoadedModel.open(folder, runtimes=["lite_rt"], threads=1)

    made: list[Two] = []

    def wide() -> LoadedModel:
        one, other = plain(), plain()
        made.append(Two([one.session, other.session]))
        return LoadedModel(one.manifest, one.variant, made[0], one.labels)

    video = data / "media/videos/one-by-one-person-detection.mp4"
    specs = [
        msgspec.structs.replace(
            read_pipeline(PERSON, "test"), name=name, source=SourceSpec(kind="file", uri=str(video), pace="fast")
        )
        for name in ("north", "south")
    ]
    runner.load("slot:detector", wide, running)
    runner.set_pipelines(specs)
    assert made[0].met.wait(WAIT_S), "both cameras were computed by one thread"
    _, lost = runner.load("slot:detector", plain, running)
    assert lost == 0
    runner.load("slot:detector", plain, running)
    for run in runner.runs.values():
        assert run.frames_total > 0
        assert run.dropped["error"] == 0
    assert {thread.name for thread in threading.enumerate()} >= {"model:slot:detector", "model:slot:detector:1"}


class BusyCamera:
    """Has a frame at any time, as a file that is read as fast as possible, or more cameras than the model can serve."""

    def __init__(self, slot: ModelSlot, ready: threading.Condition, idle_time: IdleTime) -> None:
        self.slots = [slot]
        self.frames = 0
        self._ready, self._idle_time = ready, idle_time

    def claim(self, number: int, now_s: float) -> FrameClaim:
        return FrameClaim(now_s)

    def take(self, number: int, now_s: float) -> FrameJob:
        return FrameJob(None)  # type: ignore[arg-type]  # no one reads this frame

    def answer(self, number: int, job: FrameJob) -> None:
        self.frames += 1
        with self._ready:
            self._idle_time.frame(self, float(self.frames))


class WaitingCalls:
    """Always has one more call; keeps the number of frames before each."""

    def __init__(self, camera: BusyCamera, patient: bool = False) -> None:
        self.patient = patient
        self.frames: list[int] = []
        self.enough = threading.Event()
        self._camera = camera

    def ready_in_s(self) -> float:
        return 0.0

    def serve(self, session: Session) -> None:
        self.frames.append(self._camera.frames)
        if len(self.frames) == 10:
            self.enough.set()


@pytest.mark.parametrize("patient", [False, True])
def test_under_cameras_that_are_always_busy_a_call_has_one_frame_in_fifty(
    patient: bool, data: Path, package: MakePackage
) -> None:
    slot = ModelSlot("slot:detector")
    slot.swap(lambda: LoadedModel.open(package("ssd_mobilenet_v1"), runtimes=["lite_rt"], threads=1), running)
    ready, idle_time = threading.Condition(), IdleTime()
    thread = ModelThread(slot, ready, idle_time, lambda: False)
    camera = BusyCamera(slot, ready, idle_time)
    calls = WaitingCalls(camera, patient)
    thread.set_background(calls)
    thread.connect([camera])
    try:
        assert calls.enough.wait(WAIT_S if not patient else MEET_S) is not patient
    finally:
        thread.close()
    between = [later - earlier for earlier, later in itertools.pairwise(calls.frames)]
    assert all(frames == STARVED_FRAMES for frames in between), "frames go first"


def test_many_pictures_side_by_side_answer_as_one_by_one(data: Path, tmp_path: Path) -> None:
    """The crops of a cascade, on a model with two streams."""
    folder = data / "models/openvino/mobilenet_v2_1.0_224_quant"
    for name in ("mobilenet_v2_1.0_224_quant.xml", "mobilenet_v2_1.0_224_quant.bin", "imagenet_labels.txt"):
        (tmp_path / name).symlink_to(folder / name)
    (tmp_path / "model.toml").write_text(CLASSIFIER, encoding="utf-8")
    model = LoadedModel.open(tmp_path, runtimes=["open_vino"], threads=2)
    names = ("cat.bmp", "parrot.jpg", "sunflower.bmp", "owl.jpg", "hot_dog.jpg")
    frames = [read_picture(data / "media/images" / name) for name in names]
    alone = [model.infer(frame, 0.5).result for frame in frames]
    together = model.infer_many(frames, 0.5)
    for one, other in zip(alone, together, strict=True):
        assert isinstance(one, Classes)
        assert isinstance(other, Classes)
        assert one.top(3) == other.top(3)
    model.close()
