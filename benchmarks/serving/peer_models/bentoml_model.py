"""BentoML: JSON in, JSON out; the frame as base64."""

from __future__ import annotations

import base64

import bentoml
import numpy as np
from onnx_model import Model


@bentoml.service(workers=1, metrics={"enabled": False}, logging={"access": {"enabled": False}})
class Peer:
    def __init__(self) -> None:
        self._model = Model()

    @bentoml.api
    def infer(self, data: list[float]) -> list[float]:
        return self._model(np.asarray(data, self._model.dtype).reshape(self._model.shape)).ravel().tolist()

    @bentoml.api
    def frame(self, data: str) -> list[float]:
        return self._model(self._model.read(base64.b64decode(data))).ravel().tolist()
