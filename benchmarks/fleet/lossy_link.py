"""A link with delay, loss and a rate limit below the kernel's TCP: two TUN devices, one of them in a separate network
namespace, and a relay between them that delays or drops packets. It needs root and /dev/net/tun, but not `tc netem`, which many
kernels lack.

A thread that calls `enter` has its connections on the far side. A server on this machine's loopback is reached there under the
same port by `forward`: only the hop between the two TUN devices is slow and loses packets.
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import os
import random
import select
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001
CLONE_NEWNET = 0x40000000
NEAR, FAR = "10.213.77.1", "10.213.77.2"
MTU = 1500
QUEUE_S = 0.25
"""Packets that wait longer for the rate limit are dropped, like at a router with a full buffer."""
PIECE = 64 * 1024


def why_not() -> str:
    """The reason why this machine allows no lossy link; empty if it does."""
    if os.geteuid() != 0:
        return "a lossy line needs root"
    if shutil.which("ip") is None:
        return "ip is missing: apt-get install iproute2"
    if not os.path.exists("/dev/net/tun"):  # noqa: PTH110 (a device, not a file of ours)
        return "this kernel has no /dev/net/tun"
    if subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode:
        return "this machine allows no network namespaces"
    return ""


@dataclass(slots=True)
class Quality:
    """The properties of the link, in both directions. May be changed while it runs. `bytes_per_s` 0: no limit."""

    round_trip_s: float = 0.1
    loss: float = 0.02
    bytes_per_s: float = 12.5e6


class LossyLine:
    """The link. `close` removes namespace and devices. `carried`, `lost`: numbers of packets so far."""

    def __init__(self, quality: Quality, seed: int = 7) -> None:
        self.quality = quality
        self.name = f"edgefleet-{os.getpid()}"
        self.carried = self.lost = 0
        self._chance = random.Random(seed)
        self._closing = threading.Event()
        self._listeners: list[socket.socket] = []
        _ip("netns", "add", self.name)
        self._near = _tun(f"ef{os.getpid() % 100_000}n")
        made: list[int] = []
        self.inside(lambda: made.append(_tun("far")))
        self._far = made[0]
        _ip("addr", "add", f"{NEAR}/30", "dev", f"ef{os.getpid() % 100_000}n")
        _ip("link", "set", f"ef{os.getpid() % 100_000}n", "mtu", str(MTU), "up")
        for command in (
            ("addr", "add", f"{FAR}/30", "dev", "far"),
            ("link", "set", "far", "mtu", str(MTU), "up"),
            ("link", "set", "lo", "up"),
        ):
            _ip("-n", self.name, *command)
        self._thread = threading.Thread(target=self._relay, name="lossy-line", daemon=True)
        self._thread.start()

    def enter(self) -> None:
        """Move this thread, and those it starts later, to the far side."""
        with open(f"/run/netns/{self.name}", "rb") as namespace:  # noqa: PTH123 (a handle of the kernel's)
            if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")

    def inside(self, task: Callable[[], Any]) -> None:
        """Run a task on the far side, in a separate thread, and wait for its end."""
        failures: list[BaseException] = []

        def run() -> None:
            try:
                self.enter()
                task()
            except BaseException as error:  # noqa: BLE001 (raised again below, in the thread that waits)
                failures.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if failures:
            raise failures[0]

    def forward(self, port: int) -> int:
        """Forward 127.0.0.1:`port` of the far side to this side, over the link; returns the port."""
        self._listen(NEAR, port, ("127.0.0.1", port))
        self.inside(lambda: self._listen("127.0.0.1", port, (NEAR, port)))
        return port

    def close(self) -> None:
        """Stop the relay, and remove its interfaces and its network namespace."""
        self._closing.set()
        for listener in self._listeners:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._thread.join(5.0)
        os.close(self._near)
        os.close(self._far)
        _ip("netns", "delete", self.name)

    def _relay(self) -> None:
        waiting: list[tuple[float, int, int, bytes]] = []
        free_s = {self._near: 0.0, self._far: 0.0}
        other = {self._near: self._far, self._far: self._near}
        poll = select.poll()
        for handle in other:
            os.set_blocking(handle, False)
            poll.register(handle, select.POLLIN)
        count = 0
        while not self._closing.is_set():
            wait_s = waiting[0][0] - time.monotonic() if waiting else 0.2
            for handle, _ in poll.poll(max(0.0, min(wait_s, 0.2)) * 1000.0):
                with suppress(BlockingIOError):
                    while True:
                        packet = os.read(handle, 65536)
                        due_s = self._due(handle, len(packet), free_s)
                        if due_s is None:
                            self.lost += 1
                        else:
                            count += 1
                            heapq.heappush(waiting, (due_s, count, other[handle], packet))
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, target, packet = heapq.heappop(waiting)
                with suppress(OSError):  # the far end is being taken down
                    os.write(target, packet)
                    self.carried += 1

    def _due(self, handle: int, length: int, free_s: dict[int, float]) -> float | None:
        """The monotonic time at which a packet arrives at the other end; None if it is lost."""
        now, quality = time.monotonic(), self.quality
        if self._chance.random() < quality.loss:
            return None
        leaves_s = max(now, free_s[handle])
        if leaves_s - now > QUEUE_S:
            return None
        free_s[handle] = leaves_s + (length / quality.bytes_per_s if quality.bytes_per_s else 0.0)
        return free_s[handle] + quality.round_trip_s / 2

    def _listen(self, host: str, port: int, target: tuple[str, int]) -> None:
        listener = socket.create_server((host, port))
        self._listeners.append(listener)
        threading.Thread(target=self._accept, args=(listener, target), daemon=True).start()

    def _accept(self, listener: socket.socket, target: tuple[str, int]) -> None:
        while True:
            try:
                here, _ = listener.accept()
            except OSError:
                if self._closing.is_set():
                    return
                continue
            threading.Thread(target=_carry, args=(here, target), daemon=True).start()


def _carry(here: socket.socket, target: tuple[str, int]) -> None:
    """Relay one connection in both directions until either side closes it."""
    with here, suppress(OSError), socket.create_connection(target) as there:
        for one in (here, there):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=_copy, args=(there, here), daemon=True)
        back.start()
        _copy(here, there)
        back.join()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(PIECE):
            sink.sendall(data)
    for one in (source, sink):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _tun(name: str) -> int:
    handle = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
    fcntl.ioctl(handle, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN_NO_PI))
    return handle


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
