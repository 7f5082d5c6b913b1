"""Requests against a server that fails as the test says: what is sent, what is retried, which errors are raised."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import pytest

from edgefleet_client import errors
from edgefleet_client.authentication import Session, Token
from edgefleet_client.errors import UnencryptedError
from edgefleet_client.event_stream import DATA_CHARS_MAX, parse_events
from edgefleet_client.fleet_client import FleetClient
from edgefleet_client.pages import newest_first, numbered
from edgefleet_client.transport import KEY_RUNS, PAUSE_S_MAX, Transport

Reply = tuple[int, dict[str, str], bytes]
CUT: Final[Reply] = (0, {}, b"")
"""The connection is closed without a response."""
OK: Final[Reply] = (200, {}, b'{"ok": true}')


class Script:
    """A server that gives the replies in turn, the last one for ever; `seen`: (method, path, headers, body)."""

    def __init__(self) -> None:
        self.replies: list[Reply] = [OK]
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        script = self

        class Handler(BaseHTTPRequestHandler):
            def reply(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                script.seen.append((self.command, self.path, {key.lower(): value for key, value in self.headers.items()}, body))
                status, headers, answer = script.replies.pop(0) if len(script.replies) > 1 else script.replies[0]
                if not status:
                    self.close_connection = True
                    return
                self.send_response(status)
                for key, value in {"Content-Length": str(len(answer)), **headers}.items():
                    self.send_header(key, value)
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = reply  # noqa: N815 (names of the library)

            def log_message(self, *_: Any) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"


@pytest.fixture
def script() -> Iterator[Script]:
    made = Script()
    yield made
    made.http.shutdown()
    made.http.server_close()


def refusal(status: int, **headers: str) -> Reply:
    return status, headers, json.dumps({"detail": f"reason {status}"}).encode()


def transport(script: Script, pauses: list[float] | None = None, **more: Any) -> Transport:
    return Transport(script.url, sleep=(pauses if pauses is not None else []).append, **more)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.InvalidRequestError),
        (401, errors.NotSignedInError),
        (403, errors.AccessDeniedError),
        (404, errors.NotFoundError),
        (409, errors.ConflictError),
        (413, errors.InvalidRequestError),
        (422, errors.InvalidRequestError),
        (429, errors.BusyError),
        (500, errors.ServerFaultError),
        (502, errors.ServerFaultError),
        (503, errors.BusyError),
        (507, errors.StorageFullError),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_a_refusal_has_the_status_and_the_servers_reason(
    script: Script, method: str, status: int, kind: type[errors.ApiError]
) -> None:
    script.replies = [refusal(status)]
    with pytest.raises(kind, match=f"^reason {status}$") as error:
        transport(script).ask(method, ("rollouts",))
    assert (error.value.status, error.value.reason) == (status, f"reason {status}")
    again = status in (429, 502, 503) if method == "GET" else status == 429
    assert len(script.seen) == (3 if again else 1), "only what cannot act twice is sent again"


def test_a_fault_of_a_field_names_the_field(script: Script) -> None:
    detail = [{"loc": ["body", "waves", 0, "percent"], "msg": "Input should be less than or equal to 100"}]
    script.replies = [(422, {}, json.dumps({"detail": detail}).encode())]
    with pytest.raises(errors.InvalidRequestError, match=r"^waves\.0\.percent: Input should be less"):
        transport(script).ask("POST", ("rollouts",), json={})


def test_the_fields_of_a_problem_are_given(script: Script) -> None:
    faults = [{"detail": "must be at most 100", "pointer": "#/waves/0/percent"}]
    problem = {"status": 422, "detail": "waves.0.percent: must be at most 100", "errors": faults}
    script.replies = [(422, {}, json.dumps(problem).encode())]
    with pytest.raises(errors.InvalidRequestError, match=r"^waves\.0\.percent: must be at most 100$") as error:
        transport(script).ask("POST", ("rollouts",), json={})
    assert error.value.errors == tuple(faults)


@pytest.mark.parametrize("body", [b"<html>", b'{"detail": []}', b"[]"])
def test_a_refusal_of_something_else_is_shown_in_short(script: Script, body: bytes) -> None:
    script.replies = [(400, {}, body)]
    with pytest.raises(errors.InvalidRequestError) as error:
        transport(script).ask("GET", ("overview",))
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(("method", "sent"), [("GET", 2), ("POST", 1), ("PUT", 1), ("PATCH", 1), ("DELETE", 1)])
def test_a_lost_connection_is_retried_where_nothing_acts_twice(script: Script, method: str, sent: int) -> None:
    script.replies = [CUT, OK]
    pauses: list[float] = []
    if sent == 2:
        assert transport(script, pauses).ask(method, ("overview",)) == {"ok": True}
        assert pauses == [0.5]
    else:
        with pytest.raises(errors.ConnectionFailedError):
            transport(script, pauses).ask(method, ("overview",))
    assert len(script.seen) == sent


def test_a_post_is_sent_again_with_its_key_to_a_server_that_knows_keys(script: Script) -> None:
    """A server says so in each answer; one of an older version would act twice."""
    knows = {"Edgefleet-Idempotency": "1"}
    runs = json.dumps({"type": KEY_RUNS, "detail": "runs"}).encode()
    script.replies = [(200, knows, OK[2]), CUT, (503, knows, b"{}"), (409, {"Retry-After": "1"}, runs), OK]
    pauses: list[float] = []
    sender = transport(script, pauses, tries=4)
    sender.ask("GET", ("overview",))
    assert sender.ask("POST", ("rollouts",), json={}) == {"ok": True}
    keys = {seen[2].get("idempotency-key") or seen[2].get("Idempotency-Key") for seen in script.seen[1:]}
    assert (len(script.seen), len(keys), pauses) == (5, 1, [0.5, 1.0, 1.0])
    assert len(keys.pop() or "") == 36
    script.replies = [CUT]
    with pytest.raises(errors.ConnectionFailedError):
        sender.send("POST", ("models",), files={"package": b"x"})


def test_tries_are_limited_and_pauses_grow(script: Script) -> None:
    script.replies = [CUT]
    pauses: list[float] = []
    with pytest.raises(errors.ConnectionFailedError):
        transport(script, pauses, tries=4).ask("GET", ("overview",))
    assert (len(script.seen), pauses) == (4, [0.5, 1.0, 2.0])


@pytest.mark.parametrize(("wait", "pauses"), [("7", [7.0]), (str(int(PAUSE_S_MAX) + 1), []), ("soon", [0.5])])
def test_the_pause_is_that_of_the_server_unless_it_is_long(script: Script, wait: str, pauses: list[float]) -> None:
    script.replies = [refusal(429, **{"Retry-After": wait}), OK]
    slept: list[float] = []
    call: Callable[[], Any] = lambda: transport(script, slept).ask("POST", ("rollouts",), json={})  # noqa: E731
    if pauses:
        assert call() == {"ok": True}
    else:
        with pytest.raises(errors.BusyError) as error:
            call()
        assert error.value.retry_after_s == float(wait)
    assert slept == pauses


@pytest.mark.parametrize(
    ("known", "header"),
    [(None, {}), (Token("abc"), {"authorization": "Bearer abc"}), (Session({"edgefleet": "xyz"}), {"cookie": "edgefleet=xyz"})],
)
def test_requests_carry_the_authentication(script: Script, known: Token | Session | None, header: dict[str, str]) -> None:
    made = transport(script, authentication=known)
    made.ask("GET", ("overview",))
    found = {key: value for key, value in script.seen[-1][2].items() if key in ("authorization", "cookie")}
    assert found == header
    made.authenticate(None)
    made.ask("GET", ("overview",))
    assert not script.seen[-1][2].keys() & {"authorization", "cookie"}
    assert "abc" not in repr(known)
    assert "xyz" not in repr(known)


def test_names_cannot_leave_their_place_in_the_path(script: Script) -> None:
    transport(script).ask("GET", ("groups", "a/../b?c#d"), query={"x": None, "label": ["a=1", "b=2"], "open": True})
    assert script.seen[0][1] == "/api/v1/groups/a%2F..%2Fb%3Fc%23d?label=a%3D1&label=b%3D2&open=true"


def test_what_is_no_json_is_no_fleet_server(script: Script) -> None:
    script.replies = [(200, {}, b"<html>")]
    with pytest.raises(errors.UnexpectedResponseError, match="is it the address of a fleet server"):
        transport(script).ask("GET", ("overview",))


def test_an_unreadable_authority_is_named() -> None:
    with pytest.raises(errors.ClientError, match="/nowhere"):
        FleetClient("https://127.0.0.1:1", ca_file="/nowhere/ca.pem")


def test_a_translation_replaces_every_error(script: Script) -> None:
    for reply in (CUT, refusal(409), (200, {}, b"<")):
        script.replies = [reply]
        with pytest.raises(KeyError):
            transport(script, translate=lambda error: KeyError(str(error))).ask("POST", ("x",))


STREAM = b': hello\n\nid: 1\nevent: device\ndata: {"id":\ndata: "d1"}\n\nevent: nothing\n\n'


def test_a_lost_stream_is_opened_again(script: Script) -> None:
    script.replies = [(200, {}, STREAM), CUT, refusal(503), (200, {}, STREAM), refusal(403)]
    pauses = list[float]()
    events = transport(script, pauses).events("GET", ("stream",), query={"topics": "devices"})
    first = next(events)
    assert (first.name, first.id, first.data) == ("device", "1", {"id": "d1"})
    with pytest.raises(errors.BusyError):
        next(events)
    assert len(pauses) == 2


@pytest.mark.parametrize("lines", [["data: {", ""], [f"data: {'x' * (DATA_CHARS_MAX + 1)}"]])
def test_damaged_events_are_refused(lines: list[str]) -> None:
    with pytest.raises(ValueError, match=r"Expecting|longer than"):
        list(parse_events(lines))


def test_pages_are_fetched_until_the_last() -> None:
    pages = {1: [1, 2], 2: [3, 4], 3: [5]}
    assert list(numbered(lambda at: {"items": pages.get(at, []), "total": 5})) == [1, 2, 3, 4, 5]
    assert list(numbered(lambda _: {"items": [], "total": 5})) == [], "a list that became shorter ends"
    rows = [{"id": number} for number in (9, 7, 4)]
    after = lambda before: [row for row in rows if before is None or row["id"] < before][:2]  # noqa: E731
    assert list(newest_first(lambda before: {"items": after(before)}, "id")) == rows


@pytest.mark.parametrize("server", ["http://10.9.9.9:8080", "http://fleet.example.com", "http://[fd00::1]:8080"])
@pytest.mark.parametrize("known", [Token("secret"), Session({"session": "secret"})])
def test_credentials_are_not_sent_to_other_machines_without_encryption(server: str, known: Token | Session) -> None:
    with pytest.raises(UnencryptedError, match="not sent without encryption; use https"):
        Transport(server, known)
    with pytest.raises(UnencryptedError), FleetClient(server) as client:
        client.sign_in("ada", "a password")
    Transport(server, known, insecure_http=True).close()
    Transport(server, Session({})).close()


@pytest.mark.parametrize("server", ["http://127.9.0.1:80", "http://localhost:8080", "http://[::1]:8080", "https://10.9.9.9"])
def test_credentials_are_sent_to_this_machine_or_encrypted(server: str) -> None:
    Transport(server, Token("secret")).close()


@pytest.mark.parametrize("secret", ["ä", "eft_1\n", "eft_\x00", "€"])
def test_a_token_with_stray_characters_is_refused(secret: str) -> None:
    with pytest.raises(errors.ClientError, match="copy it again"):
        Transport("http://127.0.0.1", Token(secret))


@pytest.mark.parametrize("server", ["nonsense", "", "fleet.example.com:8443", "ftp://fleet.example.com", "https://"])
def test_a_server_is_a_url(server: str) -> None:
    with pytest.raises(ValueError, match=r"is no URL; must be https://HOST"):
        Transport(server)
