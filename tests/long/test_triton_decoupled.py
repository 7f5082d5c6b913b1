"""Models with several responses, compared with a real Triton core: final marks, and the error for single-response calls.

    EDGEFLEET_TRITON_VENV=/path/to/venv pytest -m long tests/long/test_triton_decoupled.py

Theirs answers as often as a text says, ours once for each frame of a video: what is compared is the protocol around the answers.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.agent.serving.engine.test_video_models import NAME, Site, clip
from tests.long import triton_core
from tests.long.test_triton_core import ask

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.http
from tritonclient.utils import InferenceServerException

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

MODEL = """
import numpy as np
import triton_python_backend_utils as pb

class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            count = int(pb.get_input_tensor_by_name(request, "VIDEO").as_numpy()[0])
            for number in range(count):
                sender.send(pb.InferenceResponse([pb.Tensor("FRAME", np.array([number], np.int64))]))
            sender.send(flags=pb.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
"""
CONFIG = f"""name: "{NAME}"
backend: "python"
max_batch_size: 0
input [ {{ name: "VIDEO" data_type: TYPE_STRING dims: [1] }} ]
output [ {{ name: "FRAME" data_type: TYPE_INT64 dims: [1] }} ]
model_transaction_policy {{ decoupled: true }}
"""


@dataclass(frozen=True)
class Sides:
    """Addresses of Triton's core and of ours, and the input that gives a number of responses at each."""

    http: tuple[str, str]
    grpc: tuple[str, str]

    def request_video(self, side: int, count: int) -> bytes:
        return str(count).encode() if side == 0 else clip([True] * count or [False])


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sides]:
    scratch: Path = tmp_path_factory.mktemp("triton")
    packages = triton_core.environment(scratch)
    folder = scratch / "models" / NAME
    (folder / "1").mkdir(parents=True)
    (folder / "1" / "model.py").write_text(MODEL)
    (folder / "config.pbtxt").write_text(CONFIG)
    ours = Site()
    try:
        with triton_core.running(packages, scratch / "models", scratch) as core:
            yield Sides((core.http, ours.http.address), (core.grpc, ours.grpc.address))
    finally:
        ours.close()


def answers(sides: Sides, side: int, count: int, *, final: bool) -> list[tuple[str, str, list[int], bool]]:
    """Id, model, frame and mark of each answer to two requests, the second of one frame."""
    received: queue.Queue[tuple[Any, Any]] = queue.Queue()
    client = tritonclient.grpc.InferenceServerClient(sides.grpc[side])
    client.start_stream(lambda result, error: received.put((result, error)))
    found = []
    for number, frames in (("first", count), ("second", 1)):
        tensor = tritonclient.grpc.InferInput("VIDEO", [1], "BYTES")
        tensor.set_data_from_numpy(np.array([sides.request_video(side, frames)], np.object_))
        client.async_stream_infer(
            NAME,
            [tensor],
            request_id=number,
            enable_empty_final_response=final,
            parameters={"found_only": True} if side else None,
        )
        for _ in range(frames + final):  # one after the other: theirs may answer in any order
            result, error = received.get(timeout=60)
            assert error is None, error
            response = result.get_response()
            frame = result.as_numpy("FRAME")
            marks = {key: value.bool_param for key, value in response.parameters.items()}
            assert set(marks) == {"triton_final_response"}
            found.append(
                (response.id, response.model_name, [] if frame is None else frame.tolist(), marks["triton_final_response"])
            )
    client.stop_stream()
    client.close()
    assert received.empty()
    return found


@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("count", [3, 1, 0])
def test_answers_are_marked_the_same(sides: Sides, count: int, final: bool) -> None:
    theirs, ours = (answers(sides, side, count, final=final) for side in (0, 1))
    assert theirs == ours


def test_a_caller_with_room_for_one_response_gets_the_same(sides: Sides) -> None:
    for module, addresses in ((tritonclient.http, sides.http), (tritonclient.grpc, sides.grpc)):
        refusals = []
        for side in (0, 1):
            with module.InferenceServerClient(addresses[side]) as client:
                tensor = module.InferInput("VIDEO", [1], "BYTES")
                tensor.set_data_from_numpy(np.array([sides.request_video(side, 1)], np.object_))
                with pytest.raises(InferenceServerException) as refused:
                    client.infer(NAME, [tensor])
                refusals.append((refused.value.status(), refused.value.message()))
        assert refusals[0] == refusals[1]


def test_the_policy_is_reported_the_same(sides: Sides) -> None:
    policies = []
    for side in (0, 1):
        with tritonclient.http.InferenceServerClient(sides.http[side]) as client:
            policies.append(client.get_model_config(NAME)["model_transaction_policy"])
        with tritonclient.grpc.InferenceServerClient(sides.grpc[side]) as client:
            policies.append(client.get_model_config(NAME, as_json=True)["config"]["model_transaction_policy"])
    assert policies[:2] == policies[2:]


def test_generate_of_several_answers_has_their_words_and_a_status_of_its_own(sides: Sides) -> None:
    theirs, ours = (ask(address, "POST", f"/v2/models/{NAME}/generate", b'{"VIDEO": "2"}') for address in sides.http)
    assert (theirs[0], ours[0]) == (200, 400)
    assert theirs[1] == ours[1]
