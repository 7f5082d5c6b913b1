"""A slot whose model may be asked by two threads: two cameras are computed side by side, each in its order."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from agent.backends.base import Array, Session
from agent.contract.messages import Running
from agent.contract.pipeline import SourceSpec, read_pipeline
from agent.errors import ModelError
from agent.pipeline.model import LoadedModel
from agent.pipeline.runner import Runner
from tests.agent.pipeline.test_runner import PERSON, Heard
from tests.packages import MakePackage

WAIT_S = 60.0
MEET_S = 0.2


class Two(Session):
    """Two sessions as one. Looks whether runs meet, and refuses more than two at a time."""

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
    made = Runner(Heard())
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
