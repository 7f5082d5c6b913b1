"""TensorFlow Serving's REST paths, with the requests and answers of its documentation."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent.serving.conftest import Api
from tests.agent.serving.grpc.test_hostile import ask


def post(api: Api, path: str, body: Any) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    status, answer, _ = ask(api, "POST", f"/v1/models/{path}", data)
    return status, answer


def test_predict_by_rows_and_by_columns(api: Api) -> None:
    rows = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    twice = [[2.0, 4.0, 6.0, 8.0], [10.0, 12.0, 14.0, 16.0]]
    assert post(api, "add:predict", {"instances": [{"A": row, "B": row} for row in rows]}) == (200, {"predictions": twice})
    assert post(api, "add:predict", {"inputs": {"A": rows, "B": rows}}) == (200, {"outputs": twice})
    assert post(api, "add/versions/1:predict", {"signature_name": "serving_default", "inputs": {"A": rows, "B": rows}})[0] == 200
    row = [float(number) for number in range(16)]
    assert post(api, "identity_fp32:predict", {"instances": [row]}) == (200, {"predictions": [row]})
    assert post(api, "identity_fp32:predict", {"inputs": [row]}) == (200, {"outputs": [row]})


@pytest.mark.parametrize(("name", "status"), [("", 200), ("serving_default", 200), ("nope", 400), (5, 400), ({}, 400)])
def test_a_model_has_one_signature(api: Api, name: Any, status: int) -> None:
    row = [float(number) for number in range(16)]
    found, answer = post(api, "identity_fp32:predict", {"signature_name": name, "instances": [row]})
    assert found == status
    if status == 400:
        assert 'not found in signature def; the only one is "serving_default"' in answer["error"]


def test_binary_values(api: Api) -> None:
    packed = {"b64": base64.b64encode(b"gr\xc3\xb6\xc3\x9fe").decode()}
    assert post(api, "identity_bytes:predict", {"instances": [[packed, *["x"] * 15]]}) == (
        200,
        {"predictions": [["größe", *["x"] * 15]]},
    )


def test_classify_and_regress(api: Api) -> None:
    examples = [{"INPUT": [float(number) for number in range(16)]}]
    status, answer = post(api, "identity_fp32:classify", {"examples": examples})
    assert (status, answer["results"][0][3]) == (200, ["3", 3.0])
    assert post(api, "identity_fp32:regress", {"examples": examples})[0] == 400
    shared = {"examples": [{"A": [1] * 4}], "context": {"B": [2] * 4}}
    assert post(api, "add:classify", shared) == (200, {"results": [[["0", 3.0], ["1", 3.0], ["2", 3.0], ["3", 3.0]]]})


def test_status_and_metadata(api: Api) -> None:
    fine = {"error_code": "OK", "error_message": ""}
    expected = {"model_version_status": [{"version": "1", "state": "AVAILABLE", "status": fine}]}
    assert ask(api, "GET", "/v1/models/add")[:2] == (200, expected)
    assert ask(api, "GET", "/v1/models/add/versions/1")[:2] == (200, expected)
    status, metadata, _ = ask(api, "GET", "/v1/models/add/metadata")
    inputs = metadata["metadata"]["signature_def"]["signature_def"]["serving_default"]["inputs"]
    assert (status, inputs["A"]["dtype"]) == (200, "DT_FLOAT")
    assert ask(api, "GET", "/v1/models/nothing")[:2] == (404, {"error": "Servable not found for request: Latest(nothing)"})
    assert ask(api, "GET", "/v1/models/add/versions/9")[0] == 404


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("nothing:predict", {"instances": [1]}, 404),
        ("add:explain", {"instances": [1]}, 405),
        ("add:predict", b"{", 400),
        ("add:predict", b"[" * 100_000, 400),
        ("add:predict", [], 400),
        ("add:predict", {}, 400),
        ("add:predict", {"instances": [], "inputs": {}}, 400),
        ("add:predict", {"instances": []}, 400),
        ("add:predict", {"instances": [{"A": [1] * 4}]}, 400),
        ("add:predict", {"instances": [{"A": [1] * 4, "B": [1] * 3}]}, 400),
        ("add:predict", {"instances": [{"A": [1] * 4, "B": ["x"] * 4}]}, 400),
        ("add:predict", {"instances": [{"A": [1] * 4, "B": [1] * 4}, 5]}, 400),
        ("add:predict", {"inputs": {"A": [[1] * 4]}}, 400),
        ("add:predict", {"inputs": [1]}, 400),
        ("add:classify", {"instances": [1]}, 400),
        ("identity_bytes:predict", {"instances": [[{"b64": "?"}] * 16]}, 400),
        ("identity_bytes:predict", {"instances": [[5] * 16]}, 400),
        ("identity_bf16:predict", {"instances": [[5.0] * 16]}, 400),
    ],
)
def test_what_is_wrong_is_answered_in_its_shape(api: Api, path: str, body: Any, status: int) -> None:
    found, answer = post(api, path, body)
    assert found == status, answer
    assert answer["error"]


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=5), lambda each: st.lists(each, max_size=3)))
def test_any_value_is_refused_or_served(api: Api, value: Any) -> None:
    for body in ({"instances": value}, {"instances": [value]}, {"inputs": value}, {"inputs": {"INPUT": value}}):
        assert post(api, "identity_fp32:predict", body)[0] in (200, 400)
        assert post(api, "identity_bytes:predict", body)[0] in (200, 400)
