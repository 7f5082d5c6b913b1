"""A real PostgreSQL in a folder of its own, not as root. It does not wait for the disk, which outlives every kill, unless it is
`durable`."""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

_numbers = itertools.count(1)
READY_S_MAX = 60.0


def programs() -> Path | None:
    """Folder of `initdb`, `postgres`, `pg_dump`; None if PostgreSQL is not installed."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    found = shutil.which("initdb")
    return next((place for place in places if (place / "initdb").is_file()), Path(found).parent if found else None)


class Postgres:
    """One cluster, in `folder` if given (that of an earlier one, too). `url(name)` makes a database; it may be killed and started
    again on the same port."""

    def __init__(self, durable: bool = False, folder: Path | None = None) -> None:
        bin_folder = programs()
        if bin_folder is None:
            pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
        self.bin = bin_folder
        self._owner = _owner()
        self._home = Path(tempfile.mkdtemp(prefix="edgefleet-postgres-"))  # pytest's own folders are for one user only
        self._home.chmod(0o755)
        self.folder = folder or self._home / "cluster"
        self._log = self._home / "log"
        self._durable = durable
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])

    def start(self) -> Postgres:
        if not (self.folder / "PG_VERSION").is_file():
            self.folder.mkdir()
            if self._owner is not None:
                os.chown(self.folder, self._owner.pw_uid, self._owner.pw_gid)
            initdb = [self.bin / "initdb", "-D", self.folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]
            self._run(initdb if self._durable else [*initdb, "-N"])
        settings = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": 200}
        settings |= {"shared_buffers": "128MB", "deadlock_timeout": "200ms"}
        if not self._durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(self.bin / "postgres"), "-D", str(self.folder), *options],
                stdout=log, stderr=log, start_new_session=True, **self.as_owner(),
            )  # fmt: skip
        deadline = time.monotonic() + READY_S_MAX
        while not self._answers():
            assert time.monotonic() < deadline, self._log.read_text()[-2000:]
            time.sleep(0.05)
        return self

    @property
    def pid(self) -> int:
        """The parent of all its processes."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """kill -9 of the server and every process of it; it recovers at the next start."""
        assert self._process is not None
        postmaster = psutil.Process(self._process.pid)
        every = [*postmaster.children(recursive=True), postmaster]  # each is a group of its own
        for process in every:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait(60.0)
        psutil.wait_procs(every, timeout=60.0)  # a start beside one that still ends would be refused

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # fast: open connections are ended
            self._process.wait(60.0)

    def remove(self) -> None:
        """Stop it, and delete its folder."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)  # at once
            self._process.wait(60.0)
        shutil.rmtree(self._home, ignore_errors=True)

    def url(self, name: str | None = None, template: str = "template0") -> str:
        """A new database: empty, or with what another has."""
        name = name or f"fleet_{next(_numbers)}"
        self.sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def sql(self, text: str, database: str = "postgres") -> str:
        """Output of psql without headers."""
        command = [self.bin / "psql", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "-d", database, "-XAtq", "-c", text]
        return self._run(command).strip()

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text()[-2000:]
        command = [str(self.bin / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port), "-q"]
        return subprocess.run(command, timeout=60.0).returncode == 0

    def _run(self, command: Sequence[object]) -> str:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120.0, cwd="/", **self.as_owner())
        assert done.returncode == 0, done.stderr
        return done.stdout

    def as_owner(self) -> dict[str, object]:
        """Arguments of a subprocess that runs as the user of the database."""
        if self._owner is None:
            return {}
        return {"user": self._owner.pw_uid, "group": self._owner.pw_gid, "extra_groups": []}


def _owner() -> pwd.struct_passwd | None:
    """PostgreSQL refuses to run as root; None if this process is not root."""
    if os.geteuid() != 0:
        return None
    users = {user.pw_name: user for user in pwd.getpwall()}
    owner = users.get("postgres") or users.get("nobody")
    if owner is None:
        pytest.skip("PostgreSQL does not run as root, and there is no other user here")
    return owner
