"""An unexpected exception of a runtime or a head costs frames of its own camera, not the process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, Session
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import ModelError
from edgefleet_contract.wire.messages import Running
from tests.agent.pipeline.camera.test_cascade import COLOUR, FOLLOW, MOVES, VISITS, RecordingListener
from tests.agent.pipeline.camera.test_live_change import camera, until
from tests.agent.pipeline.scenes import mean_colour

MESSAGE = r"mean-colour@1\.0\.0 failed: nobody foresaw this \(test_model_faults\.py, line \d+\)"


class Moody(Session):
    """A session that raises an unexpected exception while `broken`."""

    def __init__(self, real: Session, parallel: int = 1) -> None:
        self.inputs, self.outputs, self.placement = real.inputs, real.outputs, real.placement
        self.parallel = parallel
        self.broken = False
        self._real = real

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        if self.broken:
            raise ZeroDivisionError("nobody foresaw this")
        return self._real.infer(inputs)

    def close(self) -> None:
        self._real.close()


def moody(folder: Path, parallel: int = 1) -> tuple[LoadedModel, Moody]:
    real = LoadedModel.open(mean_colour(folder), runtimes=["onnx_runtime"])
    session = Moody(real.session, parallel)
    return LoadedModel(real.manifest, real.variant, session, real.labels), session


@pytest.mark.parametrize("parallel", [1, 2], ids=["a batch", "side by side"])
def test_every_call_of_a_model_raises_a_model_error(tmp_path: Path, parallel: int) -> None:
    model, session = moody(tmp_path / "colour", parallel)
    frame = Frame(0, 0.0, 0.0, 16, 16, "gray", (np.zeros((16, 16), np.uint8),))
    session.broken = True
    with pytest.raises(ModelError, match=MESSAGE):
        model.infer(frame, 0.5)
    with pytest.raises(ModelError, match=MESSAGE):
        model.infer_many([frame] * 3, 0.5)
    with pytest.raises(ModelError, match=r"failed: no entry .* \(.*\.py, line \d+\)"):
        model.decode({}, model.prepare(frame), 0.5)
    session.broken = False
    assert len(model.infer_many([frame] * 3, 0.5)) == 3


CROPS = MOVES + FOLLOW + COLOUR
WHOLE = '[[stages]]\nname = "scene"\nkind = "classify"\nmodel = "slot:colour"\n' + FOLLOW.replace('"moves"', '"scene"')


@pytest.mark.parametrize("stages", [CROPS, WHOLE], ids=["crops", "whole frames"])
def test_a_camera_loses_frames_and_continues(tmp_path: Path, stages: str) -> None:
    model, session = moody(tmp_path / "colour")
    listener = RecordingListener()
    runner = Runner(listener)
    try:
        runner.load("slot:colour", lambda: model, lambda _: Running(package="mean-colour", version="1.0.0", digest="a" * 64))
        runner.set_pipelines([camera("hall", stages, VISITS), camera("other", MOVES, FOLLOW, VISITS)])
        run, other = runner.runs["hall"], runner.runs["other"]
        until(lambda: run.frames_total > 3)
        session.broken = True
        before = other.frames_total
        until(lambda: run.dropped["error"] > 3 and other.frames_total > before + 3)
        loaded = runner.slots()["slot:colour"].loaded
        assert loaded is not None
        assert loaded.errors_total > 3
        session.broken = False
        until(lambda: "inference works again" in listener.faults)
    finally:
        runner.close()
    assert listener.faults[0].startswith("inference fails: mean-colour@1.0.0 failed: nobody foresaw this")
    assert listener.faults[1:] == ["inference works again"]
