"""The log in memory: what is chosen, followed, bounded, and free of secrets."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from edgefleet_agent.pipeline.scheduling.worker_log import LINES_MAX, WorkerLog
from edgefleet_agent.supervisor.diagnosis.log_ring import LOG_CHARS_MAX, LOG_LINES_MAX, WORKER, LogQuery, LogRing
from edgefleet_contract import worker_process as wire
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.wire.messages import Command


def ask(ring: LogRing, **args: Any) -> dict[str, Any]:
    return ring.read(LogQuery.of(Command(id="c", op="logs", args={"source": "service", **args})))


def texts(answer: dict[str, Any]) -> list[str]:
    return [line["text"] for line in answer["records"]]


@pytest.fixture
def ring() -> LogRing:
    return LogRing()


def write(ring: LogRing, text: str, level: int = logging.INFO) -> None:
    ring.handle(logging.LogRecord("link", level, "f.py", 1, text, None, None))


def test_level_text_and_pipeline_choose_the_lines(ring: LogRing) -> None:
    write(ring, "connected")
    write(ring, "gate: the camera is lost", logging.WARNING)
    write(ring, "gate-2: the camera is lost", logging.ERROR)
    ring.add_of_worker(wire.LoggedLine(at=1.0, level=30, logger="w", text="decoder of gate restarted"))
    assert texts(ask(ring)) == ["connected", "gate: the camera is lost", "gate-2: the camera is lost"]
    assert texts(ask(ring, level="warning")) == ["gate: the camera is lost", "gate-2: the camera is lost"]
    assert texts(ask(ring, search="CONNECT")) == ["connected"]
    assert texts(ask(ring, source="worker")) == ["decoder of gate restarted"]
    assert texts(ask(ring, source="pipeline", pipeline="gate")) == ["decoder of gate restarted", "gate: the camera is lost"]
    assert [line["level"] for line in ask(ring)["records"]] == ["info", "warning", "error"]


def test_the_next_answer_continues_and_counts_what_was_dropped(ring: LogRing) -> None:
    write(ring, "first")
    first = ask(ring)
    assert texts(ask(ring, after=first["cursor"])) == []
    for number in range(LOG_LINES_MAX + 50):
        write(ring, f"line {number}")
    answer = ask(ring, after=first["cursor"], lines=100)
    assert texts(answer)[-1] == f"line {LOG_LINES_MAX + 49}"
    assert len(answer["records"]) == 100
    assert answer["lost"] == LOG_LINES_MAX + 50 - 100
    assert ask(ring, after=answer["cursor"]) == {"records": [], "cursor": answer["cursor"], "lost": 0}


def test_a_cursor_of_an_earlier_run_gives_all_lines_of_this_one(ring: LogRing) -> None:
    before = ask(ring)["cursor"]
    again = LogRing()
    write(again, "started")
    assert texts(ask(again, after=before)) == ["started"]


def test_an_answer_fits_into_one_message(ring: LogRing) -> None:
    for _ in range(LOG_LINES_MAX):
        write(ring, "x" * 2000)
    assert sum(map(len, texts(ask(ring, lines=LOG_LINES_MAX)))) <= LOG_CHARS_MAX


@pytest.mark.parametrize(
    ("written", "secret"),
    [
        ("cannot open rtsp://ada:hunter2@10.0.0.1/live", "hunter2"),
        ("GET https://x.example/a?token=tok123&b=1 failed", "tok123"),
        ("password: hunter2", "hunter2"),
        ('{"api_key": "k-123 456", "port": 3}', "k-123"),
        ("Authorization: Bearer abcdef.ghi-jkl", "abcdef"),
        ("broker_password = 'it is secret'", "it is secret"),
        ("enrolled with ef_q7Zk2m5vX9abc", "q7Zk2m5"),
        ("-----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END EC PRIVATE KEY-----", "MHcCAQ"),
        ("x" * 990 + " rtsp://ada:hunter2@10.0.0.1/live", "hunter2"),
    ],
)
def test_secrets_stay_on_the_device(ring: LogRing, written: str, secret: str) -> None:
    write(ring, written)
    sent: list[wire.LoggedLine] = []
    WorkerLog(lambda line: sent.append(line) is None).handle(logging.LogRecord("w", 30, "f.py", 1, written, None, None))
    assert secret not in str(ask(ring))
    assert secret not in str(ring.last(10)) + str(ring.every_line())
    assert secret not in sent[0].text
    assert texts(ask(ring, search=secret)) == [], "a search must not guess secrets either"


def test_words_that_name_no_secret_are_shown(ring: LogRing) -> None:
    for text in ("password_file = /etc/edgefleet/broker", "slot detector runs a@1.0.0", "token expired", "keyboard: found"):
        write(ring, text)
        assert texts(ask(ring))[-1] == text


def test_a_flood_of_the_worker_is_dropped_and_counted() -> None:
    now = [0.0]
    sent: list[wire.LoggedLine] = []
    log = WorkerLog(lambda line: sent.append(line) is None, lambda: now[0])
    for number in range(LINES_MAX + 500):
        log.handle(logging.LogRecord("w", 30, "f.py", 1, f"line {number}", None, None))
    assert len(sent) == LINES_MAX
    now[0] = 1.0
    log.handle(logging.LogRecord("w", 30, "f.py", 1, "after", None, None))
    assert sent[-1].lost_before == 500
    ring = LogRing()
    ring.add_of_worker(sent[0])
    cursor = ask(ring, source=WORKER)["cursor"]
    ring.add_of_worker(sent[-1])
    answer = ask(ring, source=WORKER, after=cursor)
    assert (texts(answer), answer["lost"]) == (["after"], 500)


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ({"lines": 0}, "lines"),
        ({"lines": True}, "lines"),
        ({"source": "kernel"}, "source"),
        ({"level": "loud"}, "level"),
        ({"search": 3}, "search"),
        ({"source": "pipeline"}, "pipeline"),
        ({"after": "x"}, "after"),
    ],
)
def test_wrong_arguments_are_named(ring: LogRing, args: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=named):
        ask(ring, **args)
