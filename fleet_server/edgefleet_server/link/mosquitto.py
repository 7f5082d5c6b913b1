"""Runs Mosquitto as a managed child: generated configuration, restarted when it dies, stopped with the server.

It has two listeners. The plain one is on loopback for the server's own clients, with a password that is generated at each start.
Devices use the other one, over TLS with a client certificate: its common name is their user name, their client id, and the only
branch of topics that the access list allows them.

Mosquitto and its limits were chosen by measurement (QoS 1 up to 100 k msg/s on two cores, 0.55 kB per connection). Its default
queue of 1,000 messages drops messages in bursts; its default of saving every 30 minutes loses retained messages on a crash.
"""

from __future__ import annotations

import logging
import os
import pwd
import re
import resource
import secrets
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.broker_probe import CLIENT, is_answering
from edgefleet_server.core.errors import MissingError, UnavailableError
from edgefleet_server.core.ports import choose_port, is_listening
from edgefleet_server.link.broker_access import BrokerAccess
from edgefleet_server.link.mosquitto_configuration import (
    CONFIGURATION,
    DEVICE_TOPICS,
    DEVICES,
    HOST,
    OWN_CLIENTS,
    broker_limits,
    hashed_password,
)
from edgefleet_server.link.tls_failures import TlsFailures

USER: Final = "mosquitto"
READY_S_MAX: Final = 10.0
STOP_S_MAX: Final = 1.5
STARTS_MAX: Final = 4
"""Starts with other ports, if a chosen one is taken by another process meanwhile."""
SILENT_S: Final = 3.0
"""A child that lives this long without the line that it runs has its ports."""
IN_USE: Final = "Address already in use"
BACKOFF_S: Final = (0.1, 0.5, 1.0, 2.0, 5.0)
STABLE_S: Final = 30.0
PROBE_S: Final = 10.0
PROBE_WAIT_S: Final = 2.0
SILENT_PROBES: Final = 2
HUNG_PROBES: Final = 6
"""Probes in a row without an answer after which the broker counts as down, and is killed."""
LAST_WORDS: Final = 5
OWN_FILES: Final = 64
"""The broker's open files other than connections of devices: listeners, its database, the server's clients."""

FLEET_MIN: Final = 10_000
LOG_S: Final = 10.0
LOG_LINES: Final = 20
"""Lines of the broker logged in `LOG_S`."""
_CONNECTED: Final = re.compile(r"New client connected from \S+ as (?P<client>\S+) \((?:.*, u'(?P<user>[^']*)')?")
"""The user is another one where the server ends the session of a device."""
_UNREMARKABLE: Final = (
    "New connection from",
    "Client ",
    "Note: ",
    "Warning: ACL pattern",
    "mosquitto version",
    "Config loaded from",
    "Reloading config",
    "Opening ipv",
    "Saving in-memory database",
)
"""Beginnings of lines about connections that come and go, the start, and patterns for all users, which are intended."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeviceListener:
    """The listener for devices: its address (empty: all, IPv6 included) and its certificates (PEM). `port` 0: any free one, kept
    over restarts."""

    host: str
    port: int
    authority: bytes
    certificate: bytes
    key: bytes = field(repr=False)
    revoked: bytes


@dataclass(frozen=True, slots=True)
class _Owner:
    """User and group that the broker runs as; -1 = those of the server."""

    uid: int
    gid: int


class ManagedBroker:
    """One Mosquitto process. `start` returns when it answers; a thread restarts it until `stop`.

    `users`: the server's clients on the plain listener; none: every process of this machine may connect there (simulators,
    tests). `fleet`: the number of devices that its limits are made for. `connected` is called with the id of each client that
    connects.
    """

    def __init__(
        self,
        folder: Path,
        port: int,
        listener: DeviceListener | None = None,
        users: Sequence[str] = (),
        fleet: int = FLEET_MIN,
    ) -> None:
        self.connected: Callable[[str], None] = lambda _client: None
        self._fleet = fleet
        self._folder = folder.resolve()
        self._listener = listener
        self._users = users
        self._password = secrets.token_urlsafe(32) if users else ""
        self._requested_port = port
        self._process: subprocess.Popen[bytes] | None = None
        self._replaced: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._ready = threading.Event()
        self._failure = ""
        self._words: deque[str] = deque(maxlen=LAST_WORDS)
        self._logged_s, self._logged = 0.0, 0
        self._tls_failures = TlsFailures()
        self._thread = threading.Thread(target=self._keep_alive, name="broker", daemon=True)
        self._running = threading.Event()
        self._silent = 0
        memory_bytes = broker_limits(fleet, self.devices_max).memory_bytes
        self.access = BrokerAccess(BrokerAddress(HOST, port), self._password, memory_bytes=memory_bytes)
        self.device_port = listener.port if listener is not None else 0

    @property
    def address(self) -> BrokerAddress:
        """Address and access for the clients of the server itself."""
        return self.access.address

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    @property
    def answering(self) -> bool:
        """Whether the broker has answered lately: its process may run and do nothing."""
        return self._silent < SILENT_PROBES

    @property
    def devices_max(self) -> int:
        """Limit of connected devices: each is an open file, and the kernel limits the number of open files."""
        return resource.getrlimit(resource.RLIMIT_NOFILE)[1] - OWN_FILES

    def start(self) -> None:
        """Start and wait until it answers.

        Raises:
            MissingError: Mosquitto is not installed.
            UnavailableError: the port is taken, or it does not start.
        """
        program = _program()
        make_folder(self._folder, 0o755)
        for _ in range(STARTS_MAX):
            self._begin(program)
            if not self._lost_port():
                break
        if not self._ready.is_set() or self._failure:
            self.stop()
            raise UnavailableError(
                f"the broker did not start: {self._failure or 'no response'}; see {self._folder}, or use --broker URL"
            )

    def _lost_port(self) -> bool:
        """Whether another process has taken a port that this server had chosen itself."""
        chosen = self._requested_port == 0 or (self._listener is not None and self._listener.port == 0)
        return chosen and IN_USE in self._failure

    def _begin(self, program: str) -> None:
        """Choose the ports, and start the child and its thread."""
        self._failure = ""
        self._ready.clear()
        self._thread = threading.Thread(target=self._keep_alive, name="broker", daemon=True)
        port = choose_port(self._requested_port, self._folder / "port", "--mqtt-port", HOST)
        self.access = replace(self.access, address=BrokerAddress(HOST, port))
        if self._listener is not None:
            memory, host = self._folder / "device-port", self._listener.host
            self.device_port = choose_port(self._listener.port, memory, "--mqtts-port", host, other=port)
        owner = _owner(self._folder)
        self._write_configuration(port, owner)
        self._command = _die_with_parent(owner, [program, "-c", str(self._folder / "mosquitto.conf")])
        self._thread.start()
        self._ready.wait(READY_S_MAX)
        if self._failure:
            self._thread.join()

    def stop(self) -> None:
        """Let the broker save its data and end; kill it if it does not."""
        self._stopping.set()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
        if self._thread.is_alive():
            self._thread.join(STOP_S_MAX + 1.0)

    def revoke(self, revoked: bytes) -> None:
        """Apply a new list of revoked certificates to all later handshakes.

        Raises:
            StoreError: the disk refuses.
        """
        self._write("revoked.pem", revoked, _owner(self._folder))
        process = self._process
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGHUP)

    def use(self, listener: DeviceListener) -> None:
        """Use other certificates for devices. The broker is started again, because it keeps authorities until its end; devices
        connect again within seconds.

        Raises:
            StoreError: the disk refuses.
        """
        self._listener = listener
        self._write_configuration(self.address.port, _owner(self._folder))
        process = self._process
        if process is not None and process.poll() is None:
            self._replaced = process
            process.terminate()

    def _keep_alive(self) -> None:
        """Run and restart the child. The thread lives as long as the child, because the kernel ties the child to it."""
        failures = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # the server handles Ctrl-C and signals to its process group: the broker ends after it
            )
            self._process = process
            self._running.clear()
            reader = threading.Thread(target=self._read, args=(process,), name="broker-log", daemon=True)
            reader.start()
            if self._answers(process):
                self._ready.set()
            self._wait(process)
            reader.join(1.0)
            if self._stopping.is_set():
                return
            if self._replaced is process:
                continue
            failures = 0 if time.monotonic() - began > STABLE_S else failures + 1
            reason = self._words[-1] if self._words else f"exit code {process.returncode}"
            if not self._ready.is_set():
                self._failure = reason
                self._ready.set()
                return
            wait_s = BACKOFF_S[min(failures, len(BACKOFF_S)) - 1] if failures else 0.0
            log.error("the broker died (%s); starting it again in %.1f s", reason, wait_s)
            self._stopping.wait(wait_s)

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for the end of the process, which is killed when it answers no more."""
        probed_s, self._silent = time.monotonic(), 0
        login = Login(self._users[0] if self._users else CLIENT, self._password)
        while process.poll() is None:
            if self._ready.is_set() and time.monotonic() - probed_s >= PROBE_S:
                self._silent = 0 if is_answering(self.address, login, PROBE_WAIT_S) else self._silent + 1
                probed_s = time.monotonic()
                if self._silent == HUNG_PROBES:
                    log.error("the broker has not answered for %.0f s; it is ended", HUNG_PROBES * (PROBE_S + PROBE_WAIT_S))
                    process.kill()
            if self._stopping.wait(0.2):
                try:
                    process.wait(STOP_S_MAX)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()

    def _answers(self, process: subprocess.Popen[bytes]) -> bool:
        began = time.monotonic()
        while process.poll() is None and not self._stopping.is_set():
            ready = self._running.wait(0.02) or time.monotonic() - began > SILENT_S
            if ready and is_listening(HOST, self.address.port):
                return True
        return False

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        with process.stderr as lines:
            for line in lines:
                text = line.decode(errors="replace").strip()[:500]
                _, _, words = text.partition(": ") if text[:1].isdigit() else ("", "", text)
                if words.startswith("mosquitto version") and words.endswith("running"):
                    self._running.set()  # its listeners are open: what answers on the port is not another process
                joined = _CONNECTED.match(words)
                if joined is not None and joined["user"] in (None, joined["client"]) and joined["client"] != CLIENT:
                    self.connected(joined["client"])
                failure = self._tls_failures.read(words, time.monotonic())
                if failure:
                    log.warning("%s", failure)
                if failure is not None or joined is not None or words.startswith(_UNREMARKABLE):
                    continue
                self._words.append(words)
                self._log(words)

    def _log(self, words: str) -> None:
        """Log a line of the broker at a limited rate: clients that fail to connect again and again must not fill the log."""
        now = time.monotonic()
        if now - self._logged_s >= LOG_S:
            self._logged_s, self._logged, suppressed = now, 0, self._logged - LOG_LINES
            if suppressed > 0:
                log.warning("mosquitto: %d more lines", suppressed)
        self._logged += 1
        if self._logged <= LOG_LINES:
            log.warning("mosquitto: %s", words)

    def _write_configuration(self, port: int, owner: _Owner) -> None:
        file = self._folder / "mosquitto.conf"
        user = "" if os.geteuid() or owner.uid > 0 else "user root\n"
        limits = broker_limits(self._fleet, self.devices_max)
        text = user + CONFIGURATION.format(port=port, host=HOST, folder=self._folder, limits=limits)
        if self._users:
            lines = [f"{name}:{hashed_password(self._password)}\n" for name in self._users]
            self._write("passwords", "".join(lines).encode(), owner)
            text += OWN_CLIENTS.format(folder=self._folder)
        else:
            text += "allow_anonymous true\n"
        if self._listener is not None:
            text += DEVICES.format(port=self.device_port, host=self._listener.host, folder=self._folder, limits=limits)
            tls_files = {
                "authority.crt": self._listener.authority,
                "broker.crt": self._listener.certificate,
                "broker.key": self._listener.key,
            }
            for name, data in {**tls_files, "revoked.pem": self._listener.revoked, "devices.acl": DEVICE_TOPICS.encode()}.items():
                self._write(name, data, owner)
        write_atomic(file, text.encode())
        if owner.uid >= 0:
            for path in (self._folder, *self._folder.iterdir()):
                os.chown(path, owner.uid, owner.gid)

    def _write(self, name: str, data: bytes, owner: _Owner) -> None:
        """Write a file atomically that only the broker's user may read."""
        write_atomic(self._folder / name, data, 0o600, (owner.uid, owner.gid) if owner.uid >= 0 else None)


def _program() -> str:
    """Mosquitto's path: Debian installs it in a folder that is only on root's PATH."""
    found = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin")
    if found is None:
        raise MissingError(
            "mosquitto is not installed; `apt-get install mosquitto`, or use an external broker with --broker mqtt://…"
        )
    return found


def _die_with_parent(owner: _Owner, command: list[str]) -> list[str]:
    program = Path(__file__).with_name("die_with_parent.py")
    return [sys.executable, "-I", "-S", str(program), str(os.getpid()), str(owner.uid), str(owner.gid), *command]


def _owner(folder: Path) -> _Owner:
    """The user of the broker: `mosquitto` for a server that runs as root, if that user can access the folder."""
    if os.geteuid() != 0:
        return _Owner(-1, -1)
    try:
        user = pwd.getpwnam(USER)
    except KeyError:
        return _Owner(-1, -1)
    closed = next((parent for parent in folder.parents if not parent.stat().st_mode & stat.S_IXOTH), None)
    if closed is not None:
        log.info("the broker runs as root: user %s cannot enter %s", USER, closed)
        return _Owner(-1, -1)
    return _Owner(user.pw_uid, user.pw_gid)
