"""The model of every peer server: one ONNX Runtime session with the settings of the agent's sessions."""

from __future__ import annotations

import os

import numpy as np
import onnxruntime


class Model:
    """EDGEFLEET_PEER_MODEL is the file, EDGEFLEET_PEER_THREADS the threads of the session (1 where there are several)."""

    def __init__(self) -> None:
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = int(os.environ.get("EDGEFLEET_PEER_THREADS", "1"))
        settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
        file = os.environ["EDGEFLEET_PEER_MODEL"]
        self._session = onnxruntime.InferenceSession(file, settings, providers=["CPUExecutionProvider"])
        self.output = self._session.get_outputs()[0].name
        spec = self._session.get_inputs()[0]
        self.name = spec.name
        self.shape = [side if isinstance(side, int) else 1 for side in spec.shape]
        self.dtype = np.uint8 if spec.type == "tensor(uint8)" else np.float32

    def __call__(self, array: np.ndarray) -> np.ndarray:
        return self._session.run(None, {self.name: array})[0]

    def read(self, raw: bytes) -> np.ndarray:
        return np.frombuffer(raw, self.dtype).reshape(self.shape)
