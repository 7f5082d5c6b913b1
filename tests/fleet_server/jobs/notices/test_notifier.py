"""Notices arrive: at a real HTTP server with a signature that checks, and in a real mail server's mailbox."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as MailboxHandler

from edgefleet_server.core.errors import InputError
from edgefleet_server.db.alerting import notices
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.fleet.alerts import StartedAlert
from edgefleet_server.domain.fleet.webhook_signing import SIGNATURE_HEADER, TRIES_MAX, verify
from edgefleet_server.domain.notices.mail import message_of
from edgefleet_server.domain.notices.notice import notice_of_test
from edgefleet_server.jobs.notices import sender as sender_module
from edgefleet_server.jobs.notices.delivery_deadline import DeliveryDeadline
from edgefleet_server.jobs.notices.mailer import TIMEOUT_S, Mailer
from edgefleet_server.jobs.notices.notifier import Notifier
from edgefleet_server.jobs.notices.sender import PUSH_KEY_SEED, NoticeSender
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.server_process import eventually


class Hook:
    """A receiver that may be ill."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.got.append((dict(self.headers), body))
                self.send_response(hook.status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Mailbox(MailboxHandler):
    def __init__(self) -> None:
        super().__init__()
        self.got: list[Message] = []

    def handle_message(self, message: Message) -> None:
        self.got.append(message)


@pytest.fixture
def hook() -> Iterator[Hook]:
    made = Hook()
    yield made
    made.close()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(migrated_file(tmp_path / "fleet.db"))
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def small_queues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "WAITING_OF_TARGET", 10)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def alert(database: Database, rule: dict[str, Any], *targets: str, name: str = "hot") -> None:
    with database.write() as connection:
        db = raw(connection)
        number = alerts.put_rule(db, None, name, {"severity": "critical", **rule}, True, "", 1.0)
        (one,) = alerts.start_alerts(db, number, [StartedAlert("dev-1", 91.0, "temperature c 91, over the limit of 80")], 100.0)
        body = json.dumps({"what": "began", **alerts.alert(db, one)})
        notices.add(db, [(target, one, body, None) for target in targets], 100.0)


def states(database: Database) -> list[tuple[str, int]]:
    with database.read() as connection:
        return [(notice["state"], notice["tries"]) for notice in notices.notices(raw(connection), 10)]


def test_webhook_is_signed(database: Database, hook: Hook) -> None:
    """The receiver can check who sent it, and that it is fresh."""
    alert(database, {"webhooks": [{"url": hook.url, "secret": "s3cret"}]}, hook.url)
    notifier = Notifier(database, NoticeSender(PUSH_KEY_SEED))
    assert notifier.turn(200.0) == 1
    headers, body = hook.got[0]
    assert verify("s3cret", headers[SIGNATURE_HEADER], body, time.time())
    assert json.loads(body)["subject"] == "dev-1"
    assert states(database) == [("delivered", 1)]
    notifier.close()


def test_failing_receiver_is_retried_and_then_given_up(database: Database, hook: Hook) -> None:
    """With pauses that grow; another notice is not held up."""
    hook.status = 500
    alert(database, {"webhooks": [{"url": hook.url, "secret": ""}]}, hook.url)
    notifier = Notifier(database, NoticeSender(PUSH_KEY_SEED))
    assert notifier.turn(200.0) == 1
    assert notifier.turn(205.0) == 0
    now = 210.0
    for _ in range(TRIES_MAX - 2):
        now += 4000.0
        assert notifier.turn(now) == 1
    assert states(database) == [("waiting", TRIES_MAX - 1)]
    now += 4000.0
    notifier.turn(now)
    assert states(database) == [("given up", TRIES_MAX)]
    assert notifier.turn(now + 1e6) == 0
    with database.read() as connection:
        assert "returned status 500" in notices.notices(raw(connection), 1)[0]["error"]
    notifier.close()


def test_dead_receivers_delay_no_other(database: Database, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    """A webhook that accepts connections and never answers, with many notices: others arrive during its first delivery."""
    monkeypatch.setattr(sender_module, "TIMEOUT_S", 600.0)
    monkeypatch.setattr(sender_module, "DELIVERY_S", 600.0)
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        dead = f"http://127.0.0.1:{silent.getsockname()[1]}/hook"
        alert(database, {"webhooks": [{"url": dead, "secret": ""}]}, *[dead] * 100, name="one")
        notifier = Notifier(database, NoticeSender(PUSH_KEY_SEED))
        notifier.start()
        eventually("the dead one is being tried", lambda: bool(notifier._working()))
        alert(database, {"webhooks": [{"url": hook.url, "secret": ""}]}, *[hook.url] * 3, name="two")
        eventually("the others arrive", lambda: len(hook.got) == 3)
        eventually("only the dead one is left", lambda: len(notifier._working()) == 1)
        notifier.close()


@pytest.mark.parametrize("scheme", ["http", "mailto"])
def test_a_receiver_that_trickles_is_given_up(database: Database, monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    """One that sends a byte of its answer's head now and then, for ever: each read succeeds, and the delivery ends."""
    monkeypatch.setattr(sender_module, "DELIVERY_S", 0.5)
    line = b"HTTP/1.1 200 OK\r\nX-Long: " if scheme == "http" else b"220-"
    ended = threading.Event()

    def trickle(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, contextlib.suppress(OSError):
            connection.sendall(line)
            while not ended.wait(0.05):
                connection.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        thread = threading.Thread(target=trickle, args=(server,))
        thread.start()
        target = f"http://127.0.0.1:{port}/hook" if scheme == "http" else "mailto:ops@example.org"
        alert(database, {}, target)
        notifier = Notifier(database, NoticeSender(PUSH_KEY_SEED, Mailer(f"smtp://127.0.0.1:{port}", "edgefleet@site")))
        began = time.monotonic()
        assert notifier.turn(200.0) == 1
        assert time.monotonic() - began < TIMEOUT_S
        ended.set()
        thread.join()
        notifier.close()
    assert states(database) == [("waiting", 1)]
    with database.read() as connection:
        assert "no complete answer within" in notices.notices(raw(connection), 1)[0]["error"]


@pytest.mark.usefixtures("small_queues")
def test_what_finds_no_room_is_counted(database: Database, hook: Hook) -> None:
    """A flood of a low severity displaces no critical notice; one summary counts what does not fit, also of later floods."""
    hook.status = 500
    alert(database, {}, *[hook.url] * 2)
    alert(database, {}, "http://127.0.0.1:9/other", name="other")
    notifier = Notifier(database, NoticeSender(PUSH_KEY_SEED))
    notifier.turn(200.0)
    for name in ("one", "two", "three"):
        alert(database, {"severity": "info"}, *[hook.url] * 6, name=name)
    with database.read() as connection:
        db = raw(connection)
        waiting = notices.due(db, 1e9, 100, 100)
        assert notices.counts(db) == (12, 10)
    assert [one["rank"] for one in waiting if one["target"] == hook.url] == [0, 0, 2, *[3] * 8]
    assert sorted(one["tries"] for one in waiting if one["rank"] == 0 and one["target"] == hook.url) == [0, 1]
    hook.status, hook.got = 200, []
    notifier.turn(1e9)
    got = [json.loads(body) for _, body in hook.got]
    assert [(one["what"], one["severity"]) for one in got[:4]] == [
        ("began", "critical"), ("began", "critical"), ("summary", "info"), ("began", "info"),
    ]  # fmt: skip
    assert got[2]["text"].startswith("10 more alerts of severity info; first 1970-01-01 00:01:40 UTC, last ")
    with database.read() as connection:
        (outcome,) = [one for one in notices.notices(raw(connection), 100) if one["summary"]]
    assert (outcome["state"], outcome["alert"], outcome["summary"]) == ("delivered", 0, got[2]["text"])
    notifier.close()


@pytest.mark.usefixtures("small_queues")
def test_summary_that_grows_while_it_is_sent_comes_again(database: Database) -> None:
    """With the counts of before and since."""
    target = "http://127.0.0.1:9/dead"
    alert(database, {"severity": "info"}, *[target] * 11)
    with database.read() as connection:
        (sent,) = [one for one in notices.due(raw(connection), 1e9, 100, 100) if one["alert"] == 0]
    alert(database, {"severity": "warning"}, target, name="more")
    with database.write() as connection:
        db = raw(connection)
        notices.set_delivery(db, sent, "delivered", 1, 1e9, "")
        (left,) = [one for one in notices.due(db, 1e9, 100, 100) if one["alert"] == 0]
    assert json.loads(left["body"])["text"].startswith("2 more alerts of severity info; first ")


def test_outcomes_displace_no_waiting_notice(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest outcomes are kept; what waits is not among them."""
    monkeypatch.setattr(notices, "OUTCOMES_MAX", 3)
    alert(database, {}, "http://127.0.0.1:9/waits")
    for number in range(5):
        alert(database, {}, f"http://127.0.0.1:9/{number}", name=str(number))
        with database.write() as connection:
            raw(connection).execute("UPDATE notice SET state = 'delivered' WHERE target LIKE ?", (f"%/{number}",))
    alert(database, {}, "http://127.0.0.1:9/last", name="last")
    assert [state for state, _ in states(database)] == ["waiting", *["delivered"] * 3, "waiting"]


def test_mails_share_a_connection(database: Database) -> None:
    """Critical ones first; a server that ends the connection in between gets the rest over another."""
    mailbox = Mailbox()
    made: list[int] = []

    class Server(Controller):
        def factory(self) -> Any:
            made.append(1)
            return super().factory()

    controller = Server(mailbox, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        made.clear()
        alert(database, {"severity": "info"}, *["mailto:a@example.org"] * 5, name="calm")
        alert(database, {}, "mailto:b@example.org")
        mailer = Mailer(f"smtp://127.0.0.1:{controller.port}", "edgefleet@site")
        notifier = Notifier(database, NoticeSender(PUSH_KEY_SEED, mailer))
        assert notifier.turn(200.0) == 6
        notifier.close()
        assert [message["To"] for message in mailbox.got] == ["b@example.org", *["a@example.org"] * 5]
        assert len(made) == 1
        with mailer.connection() as connection, DeliveryDeadline(20.0) as deadline:
            message = message_of(notice_of_test("ops", "ada", 1.0), "edgefleet@site", ["c@example.org"], 1.0, "x")
            assert connection.send(message, deadline) == []
            assert connection._server is not None
            connection._server.docmd("QUIT")
            assert connection.send(message, deadline) == []
        assert [one["To"] for one in mailbox.got[6:]] == ["c@example.org"] * 2
    finally:
        controller.stop()


def test_mail_arrives(database: Database) -> None:
    """In the mailbox of a real server."""
    mailbox = Mailbox()
    port = free_port()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        notifier = Notifier(database, NoticeSender(PUSH_KEY_SEED, Mailer(f"smtp://127.0.0.1:{port}", "edgefleet@site")))
        alert(database, {"emails": ["ops@example.org"]}, "mailto:ops@example.org")
        notifier.turn(200.0)
        (message,) = mailbox.got
        assert message["To"] == "ops@example.org"
        assert message["Subject"] == "[edgefleet] hot: dev-1 began"
        assert "over the limit of 80" in str(message.get_payload())
        notifier.close()
    finally:
        controller.stop()


def test_notice_without_a_mail_server_reports_the_reason(database: Database) -> None:
    """And is retried: the server may be restarted with one."""
    alert(database, {"emails": ["ops@example.org"]}, "mailto:ops@example.org")
    notifier = Notifier(database, NoticeSender(PUSH_KEY_SEED))
    notifier.turn(200.0)
    with database.read() as connection:
        assert "--smtp" in notices.notices(raw(connection), 1)[0]["error"]
    notifier.close()
    with pytest.raises(InputError, match="smtp://host"):
        Mailer("http://mail", "x")


@pytest.mark.parametrize(
    "target", ["http://[::1", "http://a]b/", "https://exa\u2100mple.org/x", "mailto://[@x", "http://host:99999/"]
)
def test_target_that_is_no_address_ends_no_thread(
    database: Database, hook: Hook, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    """A thread that ends with an error stops the server; the other notices arrive, and this one has its error."""
    ended: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", ended.append)
    alert(database, {"webhooks": []}, target, name="odd")
    alert(database, {"webhooks": []}, hook.url)
    mailer = Mailer(f"smtp://127.0.0.1:{free_port()}", "edgefleet@site")
    assert Notifier(database, NoticeSender(PUSH_KEY_SEED, mailer)).turn(200.0) == 2
    with database.read() as connection:
        found = {notice["target"]: notice for notice in notices.notices(raw(connection), 10)}
    assert (found[hook.url]["state"], found[target]["state"]) == ("delivered", "waiting")
    assert found[target]["error"]
    assert ended == []
