"""LitServe: JSON for the small model, multipart for the frame."""

from __future__ import annotations

import sys

import litserve
import numpy as np
from onnx_model import Model


class Peer(litserve.LitAPI):
    def setup(self, device):
        self._model = Model()

    def decode_request(self, request):
        if "frame" in request:
            return self._model.read(request["frame"].file.read())
        return np.asarray(request["data"], self._model.dtype).reshape(self._model.shape)

    def predict(self, x):
        return self._model(x)

    def encode_response(self, output):
        return {"data": output.ravel().tolist()}


if __name__ == "__main__":
    server = litserve.LitServer(Peer(), accelerator="cpu", workers_per_device=int(sys.argv[2]))
    server.run(port=int(sys.argv[1]), host="127.0.0.1", log_level="error", generate_client_file=False)
