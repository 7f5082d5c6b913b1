"""The demo touches no server but its own."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.cli.client import Client
from edgefleet_server.simulate.demo import Running, free_port, is_ready
from edgefleet_server.simulate.processes import Child


class AnyServer(Client):
    """Some server that answers at the address."""

    def _answer(self, method: str, path: Any, **_more: Any) -> dict[str, object]:
        return {"broker": {"state": "up"}}

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.transport.ask = self._answer  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("pid", "url", "ready"), [(0, "", True), (1, "", False), (0, "http://127.0.0.1:2", False), (None, None, False)]
)
def test_a_server_is_ready_if_it_is_the_one_that_was_started(
    tmp_path: Path, pid: int | None, url: str | None, *, ready: bool
) -> None:
    child = Child("server", [sys.executable, "-c", "import time; time.sleep(60)"], tmp_path / "log")
    try:
        running = Running("http://127.0.0.1:1", AnyServer("http://127.0.0.1:1"), [child], [])
        if pid is not None:
            (tmp_path / "server.json").write_text(json.dumps({"pid": pid or child.pid, "url": url or running.url}))
        assert is_ready(running, tmp_path) is ready
    finally:
        child.stop()


def test_a_torn_state_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "server.json").write_text('{"pid": ')
    assert not is_ready(Running("http://127.0.0.1:1", AnyServer("http://127.0.0.1:1"), [], []), tmp_path)


@pytest.mark.parametrize("address", ["127.0.0.1", ""])
def test_a_port_with_a_listener_is_not_taken(address: str) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind((address, 0))
        other.listen()
        port = other.getsockname()[1]
        assert free_port(port) != port
