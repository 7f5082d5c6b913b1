"""A full port: which connection is given up, and that health is answered; at both listeners."""

from __future__ import annotations

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import tritonclient.grpc as triton_grpc
from tritonclient.utils import InferenceServerException

from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.connection_table import RANKED_MAX, RESERVED_MAX, Admission, ConnectionTable, Phase
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.http2.frames import END_HEADERS, PREFACE, Kind, frame
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from tests.agent.serving.conftest import SERVER

FULL = 16
LIMITS = ListenerLimits(connections=FULL, receive_s=30.0)
WAIT_S = 20.0
HALF_HEAD = b"POST /v2/models/m/infer HTTP/1.1\r\nHost: local"
HALF_BODY = b"POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
OTHER = "192.0.2.7"


@dataclass(eq=False)
class Line:
    """A connection that says what it waits for."""

    waits: Phase
    since_s: float = 0.0
    given_up: bool = False

    def phase(self) -> tuple[Phase, float]:
        return self.waits, self.since_s

    def give_up(self) -> None:
        self.given_up = True

    def close_when_idle(self) -> None: ...

    def check_time(self, now_s: float) -> None: ...


def test_who_is_given_up_first() -> None:
    table = ConnectionTable(6, 6)
    busy, fresh, part, older_part, idle, older_idle = lines = (
        Line(Phase.ANSWER, 0.0), Line(Phase.IDLE, 9.5), Line(Phase.PART, 3.0), Line(Phase.PART, 2.0), Line(Phase.IDLE, 5.0),
        Line(Phase.IDLE, 4.0),
    )  # fmt: skip
    for each in lines:
        assert table.add(each, "127.0.0.1", 9.0) is Admission.FULL
    for expected in (older_idle, idle, older_part, part, fresh):
        assert table.add(Line(Phase.ANSWER), "127.0.0.1", 10.0) is Admission.FULL
        assert [each for each in lines if each.given_up][-1:] != []
        assert expected.given_up
        assert len(table) == 6
    assert not busy.given_up


def test_a_flood_of_new_connections_ranks_all_once_for_many() -> None:
    calls = [0]

    class Counted(Line):
        def phase(self) -> tuple[Phase, float]:
            calls[0] += 1
            return super().phase()

    table = ConnectionTable(200, 200)
    lines = [Counted(Phase.NEW, float(number)) for number in range(200)]
    for each in lines:
        table.add(each, "127.0.0.1", 200.0)
    for count, each in enumerate(lines, 1):
        table.add(Counted(Phase.NEW, 1000.0 + count), "127.0.0.1", 500.0 + count / 1e6)
        assert each.given_up
        assert sum(line.given_up for line in lines) == count
    assert calls[0] < 200 * (200 / RANKED_MAX + 3)


def test_what_was_found_a_moment_ago_is_not_given_up_when_it_has_changed() -> None:
    table = ConnectionTable(4, 4)
    first, used, closed, last = lines = [Line(Phase.NEW, float(number)) for number in range(4)]
    for each in lines:
        table.add(each, "127.0.0.1", 10.0)
    table.add(Line(Phase.ANSWER), "127.0.0.1", 10.0)
    assert first.given_up
    used.waits = Phase.ANSWER
    table.discard(closed)
    table.add(Line(Phase.ANSWER), "127.0.0.1", 10.0)
    assert not last.given_up, "there was room"
    table.add(Line(Phase.ANSWER), "127.0.0.1", 10.0)
    assert [each.given_up for each in lines] == [True, False, False, True]
    later = Line(Phase.NEW, 11.0)
    assert table.add(later, "127.0.0.1", 10.0) is Admission.HEALTH, "all others are answered"


def test_the_address_with_most_connections_pays() -> None:
    table = ConnectionTable(6, 6)
    single = Line(Phase.PART, 1.0)
    table.add(single, "192.0.2.1", 0.0)
    many = [Line(Phase.PART, 5.0) for _ in range(5)]
    for each in many:
        table.add(each, OTHER, 0.0)
    table.add(Line(Phase.ANSWER), "192.0.2.2", 6.0)
    assert (single.given_up, sum(each.given_up for each in many)) == (False, 1)


def test_one_address_may_have_a_part_of_all() -> None:
    table = ConnectionTable(8, 4)
    lines = [Line(Phase.ANSWER) for _ in range(4)]
    assert {table.add(each, OTHER, 0.0) for each in lines} == {Admission.FULL}
    assert table.add(Line(Phase.ANSWER), OTHER, 0.0) is Admission.REFUSED
    assert table.add(Line(Phase.ANSWER), "192.0.2.8", 0.0) is Admission.FULL
    lines[0].waits = Phase.IDLE
    assert table.add(Line(Phase.ANSWER), OTHER, 2.0) is Admission.FULL
    assert lines[0].given_up
    assert len(table) == 5
    # Programs of this machine, and a proxy on it, share one address.
    assert {ConnectionTable(8, 4).add(Line(Phase.ANSWER), here, 0.0) for here in ("127.0.0.1", "::1", "")} == {Admission.FULL}


def test_places_for_health_are_limited_and_forgotten() -> None:
    table = ConnectionTable(1, 1)
    table.add(Line(Phase.ANSWER), "127.0.0.1", 0.0)
    reserved = [Line(Phase.ANSWER) for _ in range(RESERVED_MAX + 1)]
    assert {table.add(each, "127.0.0.1", 0.0) for each in reserved} == {Admission.HEALTH}
    assert [each.given_up for each in reserved] == [True] + [False] * RESERVED_MAX
    for each in list(table):
        table.discard(each)
    assert len(table) == 0
    assert table.add(Line(Phase.IDLE), "127.0.0.1", 0.0) is Admission.FULL


@dataclass
class Ports:
    http: tuple[str, int]
    grpc: tuple[str, int]


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[Ports]:
    catalogue = ModelRegistry()
    repository = FolderRepository([tmp_path], catalogue, LoadTarget(()))
    listeners = [opening("127.0.0.1:0", catalogue, repository, SERVER, LIMITS) for opening in (open_http, open_grpc)]
    found = [each.address.rpartition(":") for each in listeners]
    yield Ports(*((host, int(port)) for host, _, port in found))
    for each in listeners:
        each.close()
    catalogue.close()


@contextlib.contextmanager
def filled(address: tuple[str, int], data: bytes, count: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(address, timeout=WAIT_S)) for _ in range(count)]
        for line in lines:
            line.sendall(data)
        time.sleep(0.2)
        yield lines


def get(address: tuple[str, int], path: str) -> int:
    line = http.client.HTTPConnection(*address, timeout=WAIT_S)
    line.request("GET", path)
    status = line.getresponse().status
    line.close()
    return status


@pytest.mark.parametrize("data", [b"", HALF_HEAD, HALF_BODY], ids=["silent", "half a head", "half a body"])
def test_http_is_answered_beside_connections_that_wait(ports: Ports, data: bytes) -> None:
    with filled(ports.http, data, 2 * FULL):
        began_s = time.monotonic()
        for _ in range(2 * FULL):
            assert get(ports.http, "/v2") == 200
        assert time.monotonic() - began_s < LIMITS.receive_s, "before the waiting connections end by themselves"


@pytest.mark.parametrize(
    "data",
    [b"", PREFACE[:10], PREFACE + frame(Kind.SETTINGS, 0, 0) + frame(Kind.HEADERS, END_HEADERS, 1, b"\x83\x86\x84")],
    ids=["silent", "half a preface", "a call without a message"],
)
def test_grpc_is_answered_beside_connections_that_wait(ports: Ports, data: bytes) -> None:
    with filled(ports.grpc, data, 2 * FULL):
        began_s = time.monotonic()
        for _ in range(3):
            with triton_grpc.InferenceServerClient("{}:{}".format(*ports.grpc)) as client:
                assert client.get_server_metadata(client_timeout=WAIT_S).name == "edgefleet"
        assert time.monotonic() - began_s < LIMITS.receive_s, "before the waiting connections end by themselves"


def test_health_is_answered_when_every_connection_is_being_answered(ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConnectionTable, "_make_room", lambda *_: False)
    with filled(ports.http, b"", FULL), filled(ports.grpc, PREFACE + frame(Kind.SETTINGS, 0, 0), FULL):
        for _ in range(RESERVED_MAX + 2):
            assert get(ports.http, "/v2/health/ready") == 200
        assert get(ports.http, "/v2") == 503
        for _ in range(2):
            with triton_grpc.InferenceServerClient("{}:{}".format(*ports.grpc)) as client:
                assert client.is_server_ready(client_timeout=WAIT_S)
        with (
            triton_grpc.InferenceServerClient("{}:{}".format(*ports.grpc)) as client,
            pytest.raises(InferenceServerException, match="too many connections"),
        ):
            client.get_server_metadata(client_timeout=WAIT_S)


def test_a_caller_between_two_requests_keeps_its_connection(ports: Ports) -> None:
    line = http.client.HTTPConnection(*ports.http, timeout=WAIT_S)
    line.request("GET", "/v2")
    assert line.getresponse().read()
    own = line.sock
    for _ in range(4):
        with filled(ports.http, HALF_HEAD, FULL):
            line.request("GET", "/v2")
            assert line.getresponse().read()
    assert line.sock is own
    line.close()
