"""The ONNX project's own cases of operators, through every backend that takes them, over HTTP and gRPC.

An answer is right if it is the bare runtime's, bit by bit, unless that is wrong itself (OpenVINO 2026.4 returns memory that it
never wrote for `Tile` of 7 x 6 x 4 x 2). A model or a request may be refused with a reason; a call gets a 5xx
only if the runtime ended its process, and no case ends the server. The served models run in processes of their own.
"""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

from edgefleet_agent.backends.base import BFLOAT16, LoadOptions
from edgefleet_agent.backends.installed import cpu_profile, find_backend, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.models.model_loader import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.tensors import text_of
from edgefleet_contract.core.errors import ModelError
from tests.agent.serving.conftest import LIMITS, SERVER, put_model

onnx = pytest.importorskip("onnx", reason="onnx is not installed")

pytestmark = [pytest.mark.long(minutes=30), pytest.mark.timeout(7200)]

CASES_MIN = 1_800
"""Fewer, random ones included, would mean that the collection is broken."""
RUNTIMES = ("onnx_runtime", "open_vino")
WAIT_S = 60.0
REFUSALS = ("400", "StatusCode.INVALID_ARGUMENT", "500", "StatusCode.INTERNAL")
"""500 where the bare runtime fails, too: the shapes are the model's own, so the request is not at fault."""
RANDOM = ("bernoulli", "random", "dropout", "multinomial")
"""Operators whose answers are random."""


def cases() -> list[Any]:
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(collect_testcases(None))


class CaseSite:
    """A server whose models come one after the other."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.catalogue = ModelRegistry()
        target = LoadTarget(tuple(installed_runtimes()), cpu_profile(), threads=1, frugal=True)
        self.repository = FolderRepository([root], self.catalogue, target)
        self._listeners = [
            opened("127.0.0.1:0", self.catalogue, self.repository, SERVER, LIMITS) for opened in (open_http, open_grpc)
        ]
        self.clients = [
            (triton_http, triton_http.InferenceServerClient(self._listeners[0].address, network_timeout=WAIT_S)),
            (triton_grpc, triton_grpc.InferenceServerClient(self._listeners[1].address)),
        ]

    def close(self) -> None:
        for _, client in self.clients:
            client.close()
        for listener in self._listeners:
            listener.close()
        self.catalogue.close()
        self.repository.close()

    def outcome(self, runtime: str, number: int, case: Any) -> str:
        """The kind of outcome of one case, and a reason where it is not `equal`."""
        inputs = [_plain(each) for each in case.data_sets[0][0]]
        if not all(isinstance(each, np.ndarray) for each in inputs):
            return "not a tensor: the case's inputs are sequences or optional"
        name = f"case{number}"
        settings = f'runtime = "{runtime}"\nisolation = "process"\nmax_batch_size = 0\n[[instance_group]]\ncount = 1\n'
        put_model(self.root, name, case.model.SerializeToString(), config=settings)
        try:
            self.repository.load(name)
        except CallError as error:
            return f"model refused: {error}"
        try:
            return self._compared(runtime, name, inputs, case)
        finally:
            self.repository.unload(name)

    def _compared(self, runtime: str, name: str, inputs: list[Any], case: Any) -> str:
        specs = self.catalogue.find(name).signature.inputs
        given = {spec.name: _as_tensor(array, spec.dtype) for spec, array in zip(specs, inputs, strict=False)}
        if len(given) != len(specs) or any(array is None for array in given.values()):
            return "not a tensor: the case leaves an input out, or its type is not the model's"
        answers = [_answer(module, client, name, given) for module, client in self.clients]
        for answer in answers:
            if isinstance(answer, InferenceServerException) and "the model's process was ended by" in str(answer):
                return f"aborted: {answer}"
            if isinstance(answer, InferenceServerException) and answer.status() not in REFUSALS:
                return f"different: {answer.status()} {answer}"
        session = find_backend(runtime).load((self.root / name / "1/model.onnx",), LoadOptions(threads=1))
        try:
            expected = {key: np.array(array) for key, array in session.infer(given).items()}
        except ModelError as error:
            same = all(isinstance(each, InferenceServerException) for each in answers)
            return f"request refused: {error}" if same else f"different: the bare runtime fails: {error}"
        finally:
            session.close()
        for answer in answers:
            if isinstance(answer, InferenceServerException):
                return f"different: the bare runtime answers: {answer}"
            wrong = [key for key, array in expected.items() if not _same(answer.as_numpy(key), array)]
            if wrong and _is_right(expected, case):
                return f"different: {type(answer).__module__}: {', '.join(wrong)}"
            if wrong:
                return "runtime wrong: the bare runtime computes something else than the case says, at each run"
        return "equal"


def _is_right(found: dict[str, Any], case: Any) -> bool:
    """Whether the bare runtime's outputs are those of the case: memory that it never wrote differs from run to run."""
    pairs = zip(found.values(), case.data_sets[0][1], strict=False)
    return all(
        np.allclose(one, other, rtol=case.rtol, atol=case.atol, equal_nan=True)
        for one, other in pairs
        if isinstance(other, np.ndarray) and other.dtype.kind == one.dtype.kind == "f" and one.shape == other.shape
    )


def _answer(module: Any, client: Any, name: str, given: dict[str, Any]) -> Any:
    """The answer, or the error."""
    try:
        return client.infer(name, [_sent(module, key, array) for key, array in given.items()])
    except InferenceServerException as error:
        return error


def _plain(value: Any) -> Any:
    """An array of a case's input; a sequence or an optional stays as it is."""
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return np.asarray(value) if isinstance(value, np.generic) else value


def _as_tensor(array: Any, dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "O":
        return np.array([text_of(each) for each in array.ravel()] or [b""], np.object_)[: array.size].reshape(array.shape)
    if dtype == BFLOAT16 and array.dtype.itemsize == 2:
        return np.ascontiguousarray(array).view(np.uint16).view(BFLOAT16)
    return np.ascontiguousarray(array).reshape(array.shape) if array.dtype == dtype else None


def _sent(module: Any, name: str, array: Any) -> Any:
    datatype = "BF16" if array.dtype == BFLOAT16 else np_to_triton_dtype(array.dtype)
    tensor = module.InferInput(name, list(array.shape), datatype)
    if datatype == "BF16":
        # The clients' own method takes float32 only.
        if module is triton_http:
            tensor._raw_data, tensor._parameters = array.tobytes(), {"binary_data_size": array.nbytes}
        else:
            tensor._raw_content = array.tobytes()
    else:
        tensor.set_data_from_numpy(array)
    return tensor


def _same(found: Any, expected: Any) -> bool:
    if expected.dtype == BFLOAT16:  # the client converts it to float32, or to the type of ml_dtypes
        bits = found.view(np.uint16) if found.dtype.itemsize == 2 else found.view(np.uint32) >> 16
        return bool(np.array_equal(bits, expected.view(np.uint16)))
    if expected.dtype.kind == "O":
        return [text_of(each) for each in found.flat] == [text_of(each) for each in expected.flat]
    return found.shape == expected.shape and found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_case_is_answered_as_by_the_bare_runtime_or_refused(
    tmp_path: Path, runtime: str, capsys: pytest.CaptureFixture[str]
) -> None:
    collected = cases()
    assert len(collected) >= CASES_MIN
    found = [case for case in collected if not any(word in case.name for word in RANDOM)]
    site = CaseSite(tmp_path / "models")
    outcomes: dict[str, str] = {}
    try:
        for number, case in enumerate(found):
            outcomes[case.name] = site.outcome(runtime, number, case)
        assert all(client.is_server_live() for _, client in site.clients)
    finally:
        site.close()
    counts = Counter(outcome.partition(":")[0] for outcome in outcomes.values())
    with capsys.disabled():
        print(f"\n{runtime}: {len(found)} cases: " + ", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
        for kind in sorted(set(counts) - {"equal"}):
            reasons = Counter(text.partition(": ")[2][-60:] for text in outcomes.values() if text.startswith(kind))
            print(*(f"  {kind} {count:4}: {reason}" for reason, count in reasons.most_common(5)), sep="\n")
    wrong = {name: text for name, text in outcomes.items() if text.startswith("different")}
    assert wrong == {}
    assert counts["equal"] > len(found) / 2
