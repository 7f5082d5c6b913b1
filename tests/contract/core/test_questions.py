"""The end of the input at a question: one line, the exit code of wrong input, and no other way to ask."""

from __future__ import annotations

import ast
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


class Known(BaseHTTPRequestHandler):
    """A server that knows every device."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Known) as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{listener.server_port}"
        listener.shutdown()


@pytest.mark.parametrize(
    "command",
    [
        ["edgefleet_server", "device", "decommission", "dev-1", "--server", "SERVER"],
        ["edgefleet_agent", "enroll", "http://127.0.0.1:9", "--token", "-", "--device", "dev-1"],
    ],
    ids=["edgefleet", "edgefleet-agent"],
)
def test_end_of_input_is_one_line(command: list[str], tmp_path: Path, server: str) -> None:
    module, *arguments = [server if word == "SERVER" else word for word in command]
    if module == "edgefleet_agent":
        arguments += ["--state", str(tmp_path / "state"), "--config", str(tmp_path / "agent.toml")]
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 2, done.stderr
    assert "no answer: stdin has ended" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["edgefleet_agent", "enroll", "http://127.0.0.1:9", "--token-file", "-", "--device", "dev-1"],
        ["edgefleet_server", "login", "ada", "--server", "http://127.0.0.1:9"],
    ],
    ids=["edgefleet-agent", "edgefleet"],
)
def test_a_process_without_stdin_gets_one_line(command: list[str], tmp_path: Path) -> None:
    where = ["--state", f"{tmp_path}/state", "--config", f"{tmp_path}/agent.toml"] if "enroll" in command else []
    words = [sys.executable, "-m", *command, *where]
    done = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *words], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


def test_end_of_input_at_a_password_is_one_line() -> None:
    """Ctrl-D on a terminal."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "edgefleet_server", "login", "ada", "--server", "http://127.0.0.1:9"]
    process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, cwd=ROOT, start_new_session=True)
    os.close(follower)
    shown = b""
    while b"Password for ada" not in shown:
        shown += os.read(leader, 4096)
    os.write(leader, b"\x04")
    assert process.wait(60) == 2
    shown += os.read(leader, 4096)
    assert b"no answer: stdin has ended" in shown
    assert b"Traceback" not in shown
    os.close(leader)


def test_questions_have_one_module() -> None:
    """A call of `input` or `getpass` elsewhere would end in a traceback again."""
    found = []
    for folder in ("agent", "fleet_server", "contract"):
        for path in (ROOT / folder).rglob("*.py"):
            calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
            names = {
                node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else "" for node in calls
            }
            plain = any(isinstance(node, ast.Name) and node.id == "input" for node in calls)
            if path.name != "questions.py" and (plain or "getpass" in names):
                found.append(path)
    assert not found
