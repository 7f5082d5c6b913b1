"""Triton's Python backend: becomes `model.py` of a version."""

import numpy as np
import triton_python_backend_utils as triton
from onnx_model import Model


class TritonPythonModel:
    def initialize(self, args):
        self._model = Model()

    def execute(self, requests):
        arrays = [triton.get_input_tensor_by_name(request, self._model.name).as_numpy() for request in requests]
        if len(arrays) == 1:
            return [triton.InferenceResponse([triton.Tensor(self._model.output, self._model(arrays[0]))])]
        ends = np.cumsum([len(array) for array in arrays])[:-1]
        parts = np.split(self._model(np.concatenate(arrays)), ends)
        return [triton.InferenceResponse([triton.Tensor(self._model.output, part)]) for part in parts]
