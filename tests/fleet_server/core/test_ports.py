"""Ports that a server chooses itself: those of its two listeners differ, though both are free while they are chosen."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from edgefleet_server.core import ports
from edgefleet_server.core.ports import choose_port

HOST = "127.0.0.1"


def test_a_port_is_the_same_next_time(tmp_path: Path) -> None:
    port = choose_port(0, tmp_path / "port", "--mqtt-port", HOST)
    assert choose_port(0, tmp_path / "port", "--mqtt-port", HOST) == port


def test_the_other_listener_s_port_is_not_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = choose_port(0, tmp_path / "port", "--mqtt-port", HOST)
    offered = [port, port, port + 1 if port < 65535 else port - 1]

    class Probe(socket.socket):
        def bind(self, _address: object) -> None:
            """The system offers the same port again."""

        def getsockname(self) -> tuple[str, int]:
            return HOST, offered.pop(0)

    monkeypatch.setattr(ports.socket, "socket", Probe)
    assert choose_port(0, tmp_path / "device-port", "--mqtts-port", HOST, other=port) != port
    (tmp_path / "device-port").write_text(str(port))
    offered[:] = [port, 1025]
    assert choose_port(0, tmp_path / "device-port", "--mqtts-port", HOST, other=port) == 1025
