"""The service in operation: hostile messages, commands, kill -9 of parts, hours offline, status, memory."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.environment_bill import check_bill
from edgefleet_contract.wire.messages import Ack, Command, Desired, SlotPhase, SlotTarget, Stream
from tests.agent.fakes.bench import DEVICE, PIPELINE, ROOT, Broker, MakeAgent
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.server import FakeServer
from tests.agent.service.test_update import FIRST, begin, ended, running, wait_for
from tests.import_path import import_path

pytestmark = pytest.mark.system

RSS_BYTES_MAX = 50e6
"""A supervisor needs 40 to 45 MB here, depending on the heap; one that holds the package of 20 MB has more."""


def tree(folder: Path) -> dict[str, bytes]:
    """Files that an update could have changed, by path."""
    files = [*(folder / "slots").iterdir(), folder / "desired.json", *(folder / "blobs").iterdir()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.is_file()}


def test_hostile_and_foreign_messages_change_nothing(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    second = make_package("1.1.0", attempt="a1")
    server.add(second)
    server.desire(generation=7, detector=second.target)
    server.wait(ended(server, "a1"))
    server.wait(running(server, second))
    before = tree(agent.state)
    other = make_package("2.0.0", attempt="evil").target
    server.desire(generation=7, detector=other)
    server.desire(generation=3, detector=other)
    server.desire(generation=9, device="someone-else", detector=other)
    down = topics.desired(DEVICE)
    for payload in (
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"device": 1}',
        b"{" * 100_000,
        b"[" * 100_000,
        b" " * 900_000,
        b'{"device":"bench-1","generation":-1}',
        b'{"device":"bench-1","generation":99999999999999999999999}',
        b'{"device":"bench-1","generation":50,"slots":{"../../etc":{}}}',
        b'{"device":"bench-1","generation":50,"slots":{"detector":{"package":"x","version":"1","digest":"../..","length":1}}}',
        b'{"device":"bench-1","generation":50,"policy":{"fetch_window":100000}}',
    ):
        server.publish(down, payload)
        server.publish(topics.ack(DEVICE), payload)
        server.publish(topics.command(DEVICE), payload)
    server.publish(topics.block(DEVICE, second.model.digest, 0), b"x" * 500_000)
    server.publish(topics.block(DEVICE, "0" * 64, 999_999_999), b"x")
    server.publish(topics.broadcast_block(second.model.digest, 0), b"x")
    for stream in Stream:
        server.publish(topics.ack(DEVICE), encode(Ack(stream=stream, epoch="another", seq=10**9)))
    server.command(Command(id="c1", op="identify"))
    server.wait(lambda: any(reply.id == "c1" for reply in server.replies))
    assert tree(agent.state) == before
    assert running(server, second)()
    assert server.slot().phase is SlotPhase.COMMITTED
    assert agent.process is not None
    assert agent.process.poll() is None


def test_commands_are_done_once_and_answered_again(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    worker = worker_pid(agent.process.pid)
    for _ in range(3):
        server.command(Command(id="r1", op="restart"))
    server.wait(lambda: len([reply for reply in server.replies if reply.id == "r1"]) == 3)
    server.wait(lambda: server.slot().running and worker_pid(agent.process.pid) not in (None, worker))
    assert server.replies[0].ok
    agent.kill()
    killed_at = time.time()
    agent.start()
    server.wait(lambda: server.slot().running and server.slot().running.since_at > killed_at)
    after = worker_pid_wait(agent.process.pid)
    server.command(Command(id="r1", op="restart"))
    server.wait(lambda: len([reply for reply in server.replies if reply.id == "r1"]) == 4)
    wait_for(lambda: any("slot detector runs noise@1.0.0" in line for line in logs(server)))
    assert worker_pid(agent.process.pid) == after, "the repeat of a command from before the kill restarts nothing"
    server.command(Command(id="s1", op="dance"))
    server.command(Command(id="d1", op="restart", deadline_at=1.0))
    named = server.presence[-1].bill
    server.command(Command(id="b1", op="bill", args={"digest": named}))
    server.command(Command(id="b2", op="bill", args={"digest": "0" * 64}))
    server.command(Command(id="i1", op="identify"))
    server.wait(lambda: server.replies[-1].id == "i1")
    replies = {reply.id: reply for reply in server.replies}
    assert "numpy" in dict(check_bill(replies["b1"].result["bill"], named).packages)
    assert not replies["b2"].ok
    assert "unknown command" in replies["s1"].detail
    assert not replies["s1"].ok
    assert not replies["d1"].ok
    assert replies["i1"].result["runtimes"] == ["onnx_runtime"]


def logs(server: FakeServer) -> list[str]:
    """Request the log until it has lines, with a new command each time."""
    command = Command(id=f"l{len(server.replies)}", op="logs", args={"lines": 50})
    server.command(command)
    server.wait(lambda: any(reply.id == command.id for reply in server.replies))
    return next(list(reply.result["lines"]) for reply in server.replies if reply.id == command.id)


def worker_pid(supervisor: int) -> int | None:
    for child in psutil.Process(supervisor).children():
        with contextlib.suppress(psutil.Error):  # it has just ended
            if "tests.agent.fakes.worker" in child.cmdline():
                return child.pid
    return None


def worker_pid_wait(supervisor: int) -> int:
    wait_for(lambda: worker_pid(supervisor) is not None)
    pid = worker_pid(supervisor)
    assert pid is not None
    return pid


def test_a_worker_that_dies_is_replaced_and_its_events_are_stored(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    first = worker_pid_wait(agent.process.pid)
    server.wait(lambda: len(events(server)) > 3)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: worker_pid(agent.process.pid) not in (None, first))
    second = worker_pid_wait(agent.process.pid)
    server.wait(lambda: any(event.startswith(f"{second}-") for event in events(server)))
    server.wait(lambda: any(record.get("worker_restarts") == 1 for record in stored(server, Stream.TELEMETRY)))


def test_a_worker_that_stops_speaking_is_killed(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    first = worker_pid_wait(agent.process.pid)
    os.kill(first, signal.SIGSTOP)
    wait_for(lambda: worker_pid(agent.process.pid) not in (None, first), 15.0)
    assert "no heartbeat" in agent.log.read_text()


def test_when_the_supervisor_dies_the_worker_ends(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    worker = worker_pid_wait(agent.process.pid)
    agent.kill()
    wait_for(lambda: not psutil.pid_exists(worker) or psutil.Process(worker).status() == psutil.STATUS_ZOMBIE, 5.0)
    server.wait(lambda: not server.presence[-1].online)


def stored(server: FakeServer, stream: Stream) -> list[dict[str, object]]:
    return [record for (kind, _), rows in server.records.items() if kind is stream for record in rows.values()]


def events(server: FakeServer) -> list[str]:
    return [str(record["id"]) for record in stored(server, Stream.EVENTS)]


def test_nothing_acked_comes_again_and_nothing_else_is_lost_over_kill_9(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    journal = agent.config.parent / "events.jsonl"
    for _ in range(3):
        seen = len(events(server))
        server.wait(lambda seen=seen: len(events(server)) > seen + 3)
        server.deaf = True
        size = journal.stat().st_size
        wait_for(lambda size=size: journal.stat().st_size > size + 500)
        time.sleep(0.5)  # the last ack has reached the device
        agent.kill()
        server.deaf = False
        agent.start()
        server.wait(lambda: server.presence[-1].online)
    seen = len(events(server))
    server.wait(lambda: len(events(server)) > seen)
    assert agent.stop() == 0
    happened = [json.loads(line)["id"] for line in journal.read_text().splitlines()]
    agent.start()
    server.wait(lambda: set(happened) <= set(events(server)))
    assert len(happened) == len(set(happened)) > 20
    assert server.sent_again == []
    assert len({epoch for _, epoch in server.records}) == 1
    for rows in server.records.values():
        assert sorted(rows) == list(range(1, len(rows) + 1)), "no number is missing"


def test_it_works_without_a_broker_and_sends_everything_when_one_comes(
    broker: Broker, server: FakeServer, make_agent: MakeAgent
) -> None:
    broker.stop()
    agent = make_agent(FIRST)
    agent.start()
    journal = agent.config.parent / "events.jsonl"
    wait_for(lambda: journal.exists() and len(journal.read_text().splitlines()) > 5)
    status = show_status(agent.config, "--json")
    assert json.loads(status.stdout)["connected"] is False
    broker.start()
    server.wait(lambda: len(events(server)) > 5)
    early = [json.loads(line)["id"] for line in journal.read_text().splitlines()[:5]]
    assert set(early) <= set(events(server))
    assert server.presence[-1].connection >= 1


def test_the_last_will_reports_a_death_and_the_next_connection_has_a_higher_number(
    server: FakeServer, make_agent: MakeAgent
) -> None:
    agent = begin(server, make_agent)
    birth = server.presence[-1]
    agent.kill()
    server.wait(lambda: not server.presence[-1].online)
    will = server.presence[-1]
    assert (will.boot, will.connection) == (birth.boot, birth.connection)
    agent.start()
    server.wait(lambda: server.presence[-1].online)
    again = server.presence[-1]
    assert again.boot == birth.boot
    assert again.connection > birth.connection
    assert agent.stop() == 0
    server.wait(lambda: not server.presence[-1].online)


def show_status(config: Path, *options: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "edgefleet_agent", "status", "--config", str(config), *options]
    return subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": import_path()})


def test_status_for_people_and_for_programs(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = make_agent(FIRST)
    refused = show_status(agent.config)
    assert refused.returncode == 4
    assert refused.stderr.startswith("edgefleet-agent: no edgefleet-agent is running on")
    assert len(refused.stderr.splitlines()) == 1
    agent.start()
    server.wait(running(server, FIRST))
    wait_for(lambda: b'"1.0.0"' in show_status(agent.config, "--json").stdout.encode())
    parsed = json.loads(show_status(agent.config, "--json").stdout)
    assert parsed["slots"]["detector"]["running"]["version"] == "1.0.0"
    text = show_status(agent.config).stdout
    assert f"device     {DEVICE}, connected" in text
    assert "detector: noise@1.0.0 on fake; committed" in text


def test_a_second_agent_on_the_same_state_is_refused(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    argv = [sys.executable, "-m", "tests.agent.fakes.agent", str(agent.config)]
    second = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": import_path()})
    assert second.returncode == 4
    assert f"another edgefleet-agent (pid {agent.process.pid}) is running on" in second.stderr
    assert agent.process.poll() is None
    assert running(server, FIRST)()


def test_the_supervisor_stays_small(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    second = make_package("1.1.0", 20_000_000, attempt="a1")
    server.add(second)
    server.desire(detector=second.target)
    server.wait(ended(server, "a1"))
    assert psutil.Process(agent.process.pid).memory_info().rss < RSS_BYTES_MAX
    code = "import sys, edgefleet_agent.cli.run; print([m for m in ('numpy', 'cv2', 'av', 'onnxruntime') if m in sys.modules])"
    argv = [sys.executable, "-c", code]
    loaded = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": import_path()})
    assert loaded.stdout.strip() == "[]"


def test_a_desire_of_the_last_run_counts_while_offline(broker: Broker, server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    second = make_package("1.1.0", attempt="a1")
    server.add(second)
    desired = server.desire(detector=second.target)
    server.wait(ended(server, "a1"))
    agent.kill()
    broker.stop()
    agent.start()

    def is_running() -> bool:
        status = show_status(agent.config, "--json")
        return status.returncode == 0 and json.loads(status.stdout)["slots"]["detector"].get("running") is not None

    wait_for(is_running)
    status = json.loads(show_status(agent.config, "--json").stdout)
    assert status["generation"] == desired.generation
    assert status["slots"]["detector"]["running"]["digest"] == second.digest


def test_systemd_is_notified_of_ready_alive_and_stopping(server: FakeServer, make_agent: MakeAgent, tmp_path: Path) -> None:
    agent = make_agent(FIRST)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(15.0)
        agent.start(NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="400000")
        assert [systemd.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        assert agent.stop() == 0
        words = []
        while words[-1:] != [b"STOPPING=1"]:
            words.append(systemd.recv(100))
    server.wait(lambda: not server.presence[-1].online)


def test_pipelines_can_come_with_the_desire(server: FakeServer, make_agent: MakeAgent) -> None:
    begin(server, make_agent)
    good = PIPELINE.replace('"line"', '"pushed"')
    other_slot = good.replace("slot:detector", "slot:reader").replace('"pushed"', '"waiting"')
    desired = Desired(
        device=DEVICE, generation=2, pipelines={"pushed": good, "waiting": other_slot, "broken": "name = 1", "evil": "\x00"}
    )
    server.publish(topics.desired(DEVICE), encode(desired), retain=True)
    server.wait(lambda: server.reports[-1].pipelines.get("pushed") == "running")
    states = server.reports[-1].pipelines
    assert states["waiting"] == "waiting for slot reader"
    assert "pipeline broken of the server" in states["broken"]
    assert "pipeline evil of the server" in states["evil"]
    assert "line" not in states
    back = Desired(device=DEVICE, generation=3)
    server.publish(topics.desired(DEVICE), encode(back), retain=True)
    server.wait(lambda: server.reports[-1].pipelines == {"line": "running"})


def test_a_device_with_broken_files_can_be_reached_and_mended(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = make_agent(None)
    (agent.config.parent / "pipelines" / "torn.toml").write_text("name = ")
    text = agent.config.read_text().replace("[link]", '[factory]\ndetector = "/nowhere"\n[link]')
    agent.config.write_text(text)
    agent.start()
    server.wait(lambda: server.reports and server.reports[-1].pipelines.get("line") == "waiting for slot detector")
    assert "not valid TOML" in server.reports[-1].pipelines["torn"]
    package = make_package("1.1.0", attempt="a1")
    server.add(package)
    server.desire(detector=package.target)
    server.wait(ended(server, "a1"))
    assert server.slot().phase is SlotPhase.COMMITTED
    server.wait(lambda: server.reports[-1].pipelines["line"] == "running")


def test_without_anything_trusted_a_bad_package_leaves_an_empty_slot(server: FakeServer, make_agent: MakeAgent) -> None:
    make_agent(None).start()
    bad = make_package("6.6.6", description="errors", attempt="a1")
    server.add(bad)
    server.desire(detector=bad.target)
    server.wait(ended(server, "a1"))
    assert server.slot().phase is SlotPhase.ROLLED_BACK
    server.wait(lambda: server.slot().running is None)
    server.wait(lambda: server.reports[-1].pipelines["line"] == "waiting for slot detector")


def test_a_desired_document_is_stored_as_received(server: FakeServer, make_agent: MakeAgent) -> None:
    agent = begin(server, make_agent)
    target = SlotTarget(package="noise", version="1.0.0", digest=FIRST.digest, length=FIRST.target.length, attempt="x")
    plain = {"device": DEVICE, "generation": 4, "slots": {"detector": json.loads(encode(target))}, "from_the_future": [1, 2]}
    server.publish(topics.desired(DEVICE), json.dumps(plain).encode())
    server.wait(lambda: server.slot().attempt == "x")
    assert server.slot().phase is SlotPhase.COMMITTED
    stored = json.loads((agent.state / "desired.json").read_bytes())
    assert stored["from_the_future"] == [1, 2]
