"""Forms that Triton has beyond the protocol: NaN and infinity in JSON, coded answers, repository names, version numbers."""

from __future__ import annotations

import gzip
import http.client
import json
import math
import re
import zlib
from typing import Any

import pytest
import tritonclient.grpc
from tritonclient.grpc import service_pb2, service_pb2_grpc

from tests.agent.serving.conftest import Api

GOOD = json.dumps({"inputs": [{"name": "INPUT", "shape": [1, 16], "datatype": "FP32", "data": [1.0] * 16}]}).encode()


def ask(api: Api, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
    host, _, port = api.http.rpartition(":")
    line = http.client.HTTPConnection(host, int(port), timeout=30)
    try:
        line.request(method, path, body or None, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        line.close()


def infer_text(api: Api, first: str, datatype: str = "FP32", text_id: str = "") -> tuple[int, Any]:
    rest = ",".join(["1"] * 15)
    tensor = f'{{"name": "INPUT", "shape": [1, 16], "datatype": "{datatype}", "data": [{first},{rest}]}}'
    status, _, body = ask(
        api, "POST", f"/v2/models/identity_{datatype.lower()}/infer", f'{{"id": "{text_id}", "inputs": [{tensor}]}}'.encode()
    )
    return status, json.loads(body)


@pytest.mark.parametrize("datatype", ["FP16", "FP32", "FP64"])
@pytest.mark.parametrize(
    ("text", "value"),
    [("NaN", math.nan), ("Infinity", math.inf), ("Inf", math.inf), ("-Infinity", -math.inf), ("-Inf", -math.inf)],
)
def test_nan_and_infinity_go_both_ways(api: Api, text: str, value: float, datatype: str) -> None:
    status, answer = infer_text(api, text, datatype, "NaN, Infinity")
    assert status == 200
    assert answer["id"] == "NaN, Infinity"
    first = answer["outputs"][0]["data"][0]
    assert math.isnan(first) if math.isnan(value) else first == value


def test_they_are_written_as_triton_writes_them(api: Api) -> None:
    data = "NaN,Infinity,-Infinity" + ",1.5" * 13
    body = f'{{"inputs": [{{"name": "INPUT", "shape": [1, 16], "datatype": "FP32", "data": [{data}]}}]}}'.encode()
    assert f"[{data}]".encode() in ask(api, "POST", "/v2/models/identity_fp32/infer", body)[2]


CONSTANTS = b"NaN,Infinity,-Infinity" + b",1.5" * 13
ENCODED = b"[" + CONSTANTS + b"]"


@pytest.mark.parametrize(
    ("path", "body", "answer"),
    [
        ("v2/models/identity_fp32/generate", b'{"INPUT": [NaN, Infinity, -Infinity%b]}', b'"OUTPUT":%b'),
        ("v2/models/identity_fp32/generate_stream", b'{"INPUT": [NaN, Inf, -Inf%b]}', b'"OUTPUT":%b'),
        (
            "v2/models/identity_fp32/generate",
            b'{"INPUT": [NaN, Inf, -Inf%b], "x": NaN, "parameters": {"y": Inf}}',
            b'"OUTPUT":%b',
        ),
        ("v1/models/identity_fp32:predict", b'{"instances": [[NaN, Infinity, -Infinity%b]]}', b'{"predictions":[%b]}'),
        ("v1/models/identity_fp32:predict", b'{"instances": [{"INPUT": [NaN, Infinity, -Infinity%b]}]}', b'{"predictions":[%b]}'),
        ("v1/models/identity_fp32:predict", b'{"inputs": [[NaN, Infinity, -Infinity%b]]}', b'{"outputs":[%b]}'),
        ("v1/models/identity_fp32:predict", b'{"inputs": {"INPUT": [[NaN, Infinity, -Infinity%b]]}}', b'{"outputs":[%b]}'),
    ],
)
def test_nan_and_infinity_in_every_answer(api: Api, path: str, body: bytes, answer: bytes) -> None:
    status, _, text = ask(api, "POST", f"/{path}", body % (b", 1.5" * 13))
    assert status == 200, text
    assert answer % ENCODED in text


def test_nan_and_infinity_as_scores(api: Api) -> None:
    body = b'{"examples": [{"INPUT": [%b]}]}' % CONSTANTS
    status, _, text = ask(api, "POST", "/v1/models/identity_fp32:classify", body)
    assert status == 200
    assert text.startswith(b'{"results":[[["0",NaN],["1",Infinity],["2",-Infinity],["3",1.5]')


def test_a_constant_is_no_text(api: Api) -> None:
    """Neither as an element of BYTES nor as an id; as a parameter it is a number, as in Triton."""
    assert infer_text(api, "NaN", "BYTES")[0] == 400
    assert ask(api, "POST", "/v1/models/identity_bytes:predict", b'{"instances": [[NaN%b]]}' % (b', "x"' * 15))[0] == 400
    assert ask(api, "POST", "/v2/models/identity_fp32/infer", b'{"id": NaN, ' + GOOD[1:])[0] == 400
    assert ask(api, "POST", "/v2/models/identity_fp32/infer", b'{"parameters": {"x": NaN}, ' + GOOD[1:])[0] == 200


@pytest.mark.parametrize("text", ["nan", "inf", "+Inf", "Infinit", "NaNa", "1e999", '"NaN"', "-NaN", "[NaN"])
def test_other_words_are_no_numbers(api: Api, text: str) -> None:
    assert infer_text(api, text)[0] == 400


def test_integers_have_no_infinity(api: Api) -> None:
    assert infer_text(api, "Infinity", "INT32")[0] == 400


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate", "gzip"), ("deflate, gzip", "deflate"), ("gzip, deflate, br", "gzip"), ("br", None), ("*", None),
        ("gzip;q=0", None), ("gzip;q=0.2, deflate;q=0.8", "deflate"), ("identity, gzip", "gzip"),
        ("gzip;q=0, deflate", "deflate"),
        ("x-gzip", None), ("gzip;q=x", None), ("gzip;q=nan", None), (" gzip ; q=0.5 ", "gzip"),
    ],
)  # fmt: skip
def test_answers_are_coded_as_the_caller_weighs(api: Api, accepted: str, coding: str | None) -> None:
    status, headers, body = ask(api, "POST", "/v2/models/identity_fp32/infer", GOOD, Accept_Encoding=accepted)
    assert (status, headers.get("content-encoding")) == (200, coding)
    plain = gzip.decompress(body) if coding == "gzip" else zlib.decompress(body) if coding else body
    assert json.loads(plain)["outputs"][0]["data"] == [1.0] * 16


def test_a_body_of_several_gzip_members(api: Api) -> None:
    half = len(GOOD) // 2
    members = b"".join(gzip.compress(part) for part in (GOOD[:half], b"", GOOD[half:]))
    status, _, body = ask(api, "POST", "/v2/models/identity_fp32/infer", members, Content_Encoding="gzip")
    assert (status, json.loads(body)["outputs"][0]["data"]) == (200, [1.0] * 16)


@pytest.mark.parametrize(
    ("coding", "body", "message"),
    [
        ("gzip", gzip.compress(b"{}") + b"more", "not gzip"),
        ("gzip", gzip.compress(b"") * 1001, "behind the end"),
        ("gzip", gzip.compress(b"{}" * 50)[:-9], "not a complete gzip stream"),
        ("deflate", zlib.compress(b"{}") * 2, "behind the end"),
    ],
)
def test_what_follows_a_compressed_body_is_refused(coding: str, body: bytes, message: str, api: Api) -> None:
    status, _, answer = ask(api, "POST", "/v2/models/identity_fp32/infer", body, Content_Encoding=coding)
    assert (status, message in json.loads(answer)["error"]) == (400, True), answer


def test_repository_names(api: Api) -> None:
    """The index ignores the name, `load` and `unload` have no such choice: as in Triton."""
    assert ask(api, "POST", "/v2/repository/some/index")[2] == ask(api, "POST", "/v2/repository/index")[2]
    for change in ("load", "unload"):
        status, _, body = ask(api, "POST", f"/v2/repository/some/models/add/{change}")
        assert (status, json.loads(body)) == (501, {"error": "'repository_name' specification is not supported"})
    with tritonclient.grpc.grpc.insecure_channel(api.grpc) as channel:
        stub = service_pb2_grpc.GRPCInferenceServiceStub(channel)
        assert stub.RepositoryIndex(service_pb2.RepositoryIndexRequest(repository_name="some")).models
        with pytest.raises(tritonclient.grpc.grpc.RpcError, match="'repository_name' specification is not supported"):
            stub.RepositoryModelLoad(service_pb2.RepositoryModelLoadRequest(repository_name="some", model_name="add"))


@pytest.mark.parametrize(("version", "status"), [("010", 200), ("9", 404), ("x", 404), ("9" * 30, 400), ("1.0", 404)])
def test_versions_are_read_as_numbers(api: Api, version: str, status: int) -> None:
    assert ask(api, "GET", f"/v2/models/versions/versions/{version}")[0] == status
    assert ask(api, "POST", f"/v2/models/versions/versions/{version}/infer", GOOD)[0] == status


TEXTS = '"inputs": [{"name": "INPUT", "shape": [1, 16], "datatype": "BYTES", "data": ["%s"' + ', "b"' * 15 + "]}]"
LONE = r"x\ud800"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v2/models/identity_bytes/infer", "{" + TEXTS % LONE + "}"),
        ("/v2/models/identity_bytes/infer", '{"id": "' + LONE + '", ' + TEXTS % "a" + "}"),
        ("/v2/models/identity_bytes/infer", "{" + TEXTS % "a" + ', "parameters": {"' + LONE + '": 1}}'),
        ("/v2/models/identity_bytes/infer", "{" + TEXTS % "a" + ', "outputs": [{"name": "' + LONE + '"}]}'),
        ("/v2/models/identity_bytes/generate", '{"INPUT": ["' + LONE + '"]}'),
        ("/v2/models/identity_bytes/generate", '{"INPUT": ["a"], "id": "' + LONE + '"}'),
        ("/v1/models/identity_bytes:predict", '{"instances": [["' + LONE + '"]]}'),
        ("/v1/models/identity_bytes:predict", '{"signature_name": "' + LONE + '", "instances": [["a"]]}'),
        ("/v2/repository/index", '{"ready": "' + LONE + '"}'),
        (
            "/v2/repository/models/add/load",
            '{"parameters": {"config": "{\\"name\\": \\"' + LONE.replace("\\", "\\\\") + '\\"}"}}',
        ),
        ("/v2/logging", '{"log_file": "' + LONE + '"}'),
    ],
)
def test_a_lone_surrogate_is_named_with_its_place(api: Api, path: str, body: str) -> None:
    status, _, answer = ask(api, "POST", path, body.encode())
    assert status == 400
    error = json.loads(answer)["error"]
    assert re.search(r"the text at byte \d+ has a lone surrogate, \\ud800, which is no character$", error), error
    assert "\n" not in error
