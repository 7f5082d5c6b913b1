"""MLServer: a runtime of its own, raw in and out as far as it can."""

from __future__ import annotations

import base64

import numpy as np
from mlserver import MLModel
from mlserver.types import InferenceRequest, InferenceResponse, ResponseOutput
from onnx_model import Model


class Peer(MLModel):
    async def load(self) -> bool:
        self._model = Model()
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        tensor = payload.inputs[0]
        if tensor.datatype == "BYTES":  # base64 over HTTP: the quickest that MLServer takes there
            data = tensor.data.root[0]
            array = self._model.read(base64.b64decode(data))
        else:
            array = np.asarray(tensor.data.root, self._model.dtype).reshape(self._model.shape)
        found = self._model(array)
        output = ResponseOutput(name="OUTPUT", shape=list(found.shape), datatype="FP32", data=found.ravel().tolist())
        return InferenceResponse(model_name=self.name, outputs=[output])
