"""Triton's Python backend: becomes `model.py` of a version."""

import triton_python_backend_utils as triton
from onnx_model import Model


class TritonPythonModel:
    def initialize(self, args):
        self._model = Model()

    def execute(self, requests):
        answers = []
        for request in requests:
            array = triton.get_input_tensor_by_name(request, self._model.name).as_numpy()
            answers.append(triton.InferenceResponse([triton.Tensor(self._model.output, self._model(array))]))
        return answers
