"""Models for videos with an answer for each frame: the only models with several responses to a request."""

from __future__ import annotations

import http.client
import io
import json
import queue
import re
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from edgefleet_agent.pipeline.model.loaded_model import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.dynamic_batcher import Answer, QueuedRequest
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.video_models import CLIPS_MAX, container_of
from edgefleet_agent.serving.frontend.listener import Listener
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.http.connection import Http1Connection
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.request_head import RequestHead
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_contract.package.ensemble import read_ensemble
from tests.agent.serving.conftest import SERVER
from tests.agent.serving.engine.test_picture_models import SAMPLE, VERSION

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.http
from tritonclient.utils import InferenceServerException

NAME = "conveyor_inspector.clip"
FPS = 10
WAIT_S = 60.0
EMPTY = 75
"""A grey value in which this model finds nothing."""
WORDS = "doesn't support models with decoupled transaction policy"


def clip(full: Sequence[bool]) -> bytes:
    """A video at ten frames a second: a frame shows the sample, or nothing."""
    sample = cv2.imread(str(SAMPLE))
    assert sample is not None
    sample = sample[: sample.shape[0] // 2 * 2, : sample.shape[1] // 2 * 2]
    file = io.BytesIO()
    with av.open(file, "w", format="matroska") as container:
        stream = container.add_stream("mpeg4", rate=FPS)
        stream.width, stream.height = sample.shape[1], sample.shape[0]
        stream.bit_rate = 20_000_000
        stream.codec_context.gop_size = 1  # each frame is encoded separately, without traces of the previous one
        for seen in full:
            picture = sample if seen else np.full_like(sample, EMPTY)
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return file.getvalue()


class Site:
    """The package served by both listeners."""

    def __init__(self) -> None:
        self.catalogue = ModelRegistry()
        self.repository = FolderRepository([VERSION], self.catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
        assert self.repository.load_all() == []
        self.http = open_http("127.0.0.1:0", self.catalogue, self.repository, SERVER, ListenerLimits(receive_s=1.0))
        self.grpc = open_grpc("127.0.0.1:0", self.catalogue, self.repository, SERVER, ListenerLimits())

    @property
    def running(self) -> int:
        return self.catalogue.find(NAME).engine.pending

    def post(self, path: str, data: bytes, kind: str = "video/x-matroska") -> tuple[int, str, bytes]:
        host, _, port = self.http.address.rpartition(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=WAIT_S)
        connection.request("POST", f"/v2/models/{path}", data, {"Content-Type": kind})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers["Content-Type"], body

    def close(self) -> None:
        self.grpc.close()
        self.http.close()
        self.catalogue.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.close()


def events(body: bytes) -> list[dict[str, Any]]:
    return [json.loads(event.removeprefix(b"data: ")) for event in body.split(b"\n\n") if event]


def head(version: str, data: bytes) -> bytes:
    start = f"POST /v2/models/{NAME}/generate_stream HTTP/{version}\r\nHost: localhost\r\n"
    return f"{start}Content-Type: video/mp4\r\nContent-Length: {len(data)}\r\n\r\n".encode()


class Streaming:
    """An unmodified client's stream."""

    def __init__(self, site: Site) -> None:
        self.client = tritonclient.grpc.InferenceServerClient(site.grpc.address)
        self.answers: queue.Queue[tuple[Any, Any]] = queue.Queue()
        self.client.start_stream(lambda result, error: self.answers.put((result, error)))

    def ask(self, data: bytes, number: str, *, final: bool = False, **parameters: Any) -> None:
        tensor = tritonclient.grpc.InferInput("VIDEO", [1], "BYTES")
        tensor.set_data_from_numpy(np.array([data], np.object_))
        self.client.async_stream_infer(
            NAME, [tensor], request_id=number, enable_empty_final_response=final, parameters=parameters or None
        )

    def next(self) -> Any:
        result, error = self.answers.get(timeout=WAIT_S)
        assert error is None, error
        return result

    def close(self) -> None:
        self.client.stop_stream()
        self.client.close()


def test_every_frame_is_an_answer_and_the_last_one_is_marked(site: Site) -> None:
    stream = Streaming(site)
    stream.ask(clip([True] * 4), "a", final=True)
    stream.ask(clip([False, True]), "b", final=True, found_only=True)
    found = [stream.next() for _ in range(7)]
    stream.close()
    events_sent = [(each.get_response().id, each.get_response().parameters["triton_final_response"].bool_param) for each in found]
    assert events_sent == [*[("a", False)] * 4, ("a", True), ("b", False), ("b", True)]
    assert [each.as_numpy("FRAME").tolist() for each in found if each.get_response().outputs] == [[0], [1], [2], [3], [1]]
    result = json.loads(found[3].as_numpy("RESULT")[0])
    assert (result["frame"], result["time_s"]) == (3, 0.3)
    assert len(result["detections"]) == len(found[3].as_numpy("BOXES"))


def test_an_empty_final_answer_comes_on_request_only(site: Site) -> None:
    before = site.catalogue.find(NAME).statistics.success.count
    stream = Streaming(site)
    stream.ask(clip([False] * 3), "none", found_only=True)
    stream.ask(clip([True]), "one")
    answer = stream.next().get_response()
    stream.close()
    assert (answer.id, stream.answers.qsize()) == ("one", 0)
    assert site.catalogue.find(NAME).statistics.success.count == before + 2


def test_events_one_for_each_frame(site: Site) -> None:
    data = clip([True, False, True, True])
    status, kind, body = site.post(f"{NAME}/generate_stream?min_score=0.3", data)
    assert (status, kind) == (200, "text/event-stream")
    events_sent = events(body)
    assert [(each["FRAME"], each["TIME_S"], each["model_name"]) for each in events_sent] == [
        (number, pytest.approx(number / FPS), NAME) for number in range(4)
    ]
    assert json.loads(events_sent[0]["RESULT"])["detections"]
    assert [each["FRAME"] for each in events(site.post(f"{NAME}/generate_stream?found_only=true", data)[2])] == [0, 2, 3]
    assert [each["FRAME"] for each in events(site.post(f"{NAME}/generate_stream?fps=5", data)[2])] == [0, 2]


def test_who_knows_no_chunks_gets_them_until_the_end(site: Site) -> None:
    host, _, port = site.http.address.rpartition(":")
    data = clip([True])
    with socket.create_connection((host, int(port)), WAIT_S) as line:
        head = (
            f"POST /v2/models/{NAME}/generate_stream HTTP/1.0\r\nContent-Type: video/mp4\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        line.sendall(head.encode() + data)
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    head_part, _, body = answer.partition(b"\r\n\r\n")
    assert b"chunked" not in head_part
    assert [each["FRAME"] for each in events(body)] == [0]


@pytest.mark.parametrize(
    ("query", "data", "status", "message"),
    [
        ("", b"noise", 400, "must be MP4"),
        ("", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", 400, "must be MP4"),
        ("", b"\x1a\x45\xdf\xa3" + bytes(100), 400, "the clip"),
        ("?fps=-1", None, 400, "'fps'"),
        ("?found_only=maybe", None, 400, "'found_only'"),
        ("?top=0", None, 400, "'top'"),
    ],
)
def test_what_is_no_clip_is_an_error_of_http(site: Site, query: str, data: bytes | None, status: int, message: str) -> None:
    got, kind, body = site.post(f"{NAME}/generate_stream{query}", clip([True]) if data is None else data)
    assert (got, kind) == (status, "application/json")
    assert message in json.loads(body)["error"]


def test_a_truncated_clip_ends_with_an_error_after_its_answers(site: Site) -> None:
    data = clip([True] * 30)
    events_sent = events(site.post(f"{NAME}/generate_stream", data[: len(data) // 2])[2])
    whole = [each["FRAME"] for each in events_sent if "FRAME" in each]
    assert whole == list(range(len(whole)))
    assert 0 < len(whole) < 30


def test_ways_that_have_room_for_one_answer_are_refused_in_the_protocols_words(site: Site) -> None:
    for module, listener in ((tritonclient.http, site.http), (tritonclient.grpc, site.grpc)):
        with module.InferenceServerClient(listener.address) as client:
            tensor = module.InferInput("VIDEO", [1], "BYTES")
            tensor.set_data_from_numpy(np.array([b""], np.object_))
            with pytest.raises(InferenceServerException, match=WORDS):
                client.infer(NAME, [tensor])
            config = client.get_model_config(NAME, **({} if module is tritonclient.http else {"as_json": True}))
            assert config.get("config", config)["model_transaction_policy"] == {"decoupled": True}
    assert "exactly 1 response" in json.loads(site.post(f"{NAME}/generate", b'{"VIDEO": "x"}', "application/json")[2])["error"]
    host, _, port = site.http.address.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=WAIT_S)
    connection.request("POST", f"/v1/models/{NAME}:predict", b'{"instances": ["x"]}')
    answer = connection.getresponse()
    assert (answer.status, b"several responses" in answer.read()) == (501, True)
    connection.close()


def test_it_is_no_step_of_an_ensemble(site: Site, tmp_path: Path) -> None:
    text = f'[[ensemble.step]]\nmodel = "{NAME}"\ninput_map = {{ VIDEO = "v" }}\noutput_map = {{ RESULT = "r" }}\n'
    assert read_ensemble(text, "model.toml") is not None
    (tmp_path / "joined" / "1").mkdir(parents=True)
    (tmp_path / "joined" / "1" / "model.toml").write_text(text)
    repository = FolderRepository([tmp_path], site.catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert "several responses" in repository.load_all()[0]


def test_who_hangs_up_or_does_not_read_is_not_computed_for(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    host, _, port = site.http.address.rpartition(":")
    data = clip([True] * 300)
    with socket.create_connection((host, int(port)), WAIT_S) as line:
        line.sendall(head("1.1", data) + data)
        assert line.recv(10)
    stream = Streaming(site)
    stream.ask(data, "long")
    stream.next()
    stream.client.stop_stream(cancel_requests=True)
    stream.client.close()
    ends_s = time.monotonic() + WAIT_S
    while site.running and time.monotonic() < ends_s:
        time.sleep(0.01)
    assert (site.running, list(tmp_path.iterdir())) == (0, [])
    assert site.catalogue.find(NAME).statistics.refused["CANCELED"] >= 2


def test_there_are_not_too_many_clips_at_once(site: Site) -> None:
    engine = site.catalogue.find(NAME).engine
    data = clip([True])
    reading = threading.Event()
    ended: queue.Queue[Answer] = queue.Queue()

    def ask() -> None:
        request = QueuedRequest(
            {"VIDEO": np.array([data], np.object_)}, 1, lambda answer, _: ended.put(answer), time.monotonic_ns()
        )
        request.send_part = lambda _answer, _signature: reading.wait(WAIT_S)
        engine.put(request, 0, 0)

    for _ in range(CLIPS_MAX):
        ask()
    with pytest.raises(CallError, match="concurrent clips"):
        ask()
    reading.set()
    assert [ended.get(timeout=WAIT_S) for _ in range(CLIPS_MAX)] == [{}] * CLIPS_MAX


def test_a_reader_who_is_slow_holds_up_the_sender_and_is_sent_away() -> None:
    sent: queue.Queue[int] = queue.Queue()

    def stream(request: RequestHead, exchange: Exchange) -> None:
        def send() -> None:
            exchange.begin(200, b"")
            count = 0
            while exchange.send(bytes(65536)):
                count += 1
            exchange.end()
            sent.put(count)

        assert request.method == b"GET"
        threading.Thread(target=send).start()

    limits = ListenerLimits(receive_s=1.0)
    listener = Listener("127.0.0.1:0", "parts", limits, lambda context: Http1Connection(context, stream))
    host, _, port = listener.address.rpartition(":")
    with socket.create_connection((host, int(port)), WAIT_S) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 200 OK\r\n")
        count = sent.get(timeout=WAIT_S)  # without reading: all accepted data is in the socket buffers
    listener.close()
    assert 0 < count < 1000


def test_reloads_end_no_clip(site: Site) -> None:
    stream = Streaming(site)
    stream.ask(clip([True] * 20), "a", final=True)
    stream.next()
    site.repository.load("conveyor_inspector")
    rest = [stream.next() for _ in range(20)]
    stream.close()
    assert rest[-1].get_response().parameters["triton_final_response"].bool_param


def test_forms_are_known_by_how_they_begin() -> None:
    assert container_of(clip([True])) == ".mkv"
    assert container_of(b"\x00\x00\x00\x20ftypisom") == ".mp4"
    assert container_of(b"RIFF\x00\x00\x00\x00AVI ") == ".avi"
    assert container_of((b"\x47" + bytes(187)) * 3) == ".ts"
    assert container_of(b"GIF89a") == ".gif"
    for nothing in (b"", b"\x47" * 10, b"RIFF\x00\x00\x00\x00WAVE", b"ffconcat version 1.0"):
        assert container_of(nothing) is None


def test_the_documented_answer_to_a_stream_is_called_as_tritonclient_calls_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[4] / "docs" / "serving-extensions.md").read_text(encoding="utf-8")
    written = re.search(r"client\.start_stream\((lambda .*)\)\n", text)
    assert written is not None
    callback = eval(written[1])
    callback(result=None, error="broken")
    assert capsys.readouterr().out == "broken\n"
