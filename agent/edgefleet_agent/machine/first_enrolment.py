"""Enrols a device that has no identity yet, as `[enroll]` of its settings says, until the server has accepted it."""

from __future__ import annotations

import logging
import random
import subprocess
import tempfile
from typing import IO

from edgefleet_contract.wire.backoff import full_jitter

RETRY_S_MIN = 15.0
RETRY_S_MAX = 900.0
POLL_S = 1.0
TEXT_BYTES_MAX = 16 * 1024

log = logging.getLogger(__name__)


class FirstEnrolment:
    """`command`: `edgefleet-agent enroll` with its options, in a process of its own, because its libraries would enlarge the
    supervisor; None: nothing to do. `enrolled`: true after the device got its identity, with which the service starts again.
    `now` is monotonic seconds."""

    def __init__(self, command: list[str] | None) -> None:
        self._command = command
        self._child: tuple[subprocess.Popen[bytes], IO[bytes]] | None = None
        self._next_s = 0.0
        self._tries = 0
        self.enrolled = False
        self.text = ""

    def turn(self, now: float) -> None:
        """Start or watch the process, if that is due."""
        if self._command is None or self.enrolled or now < self._next_s:
            return
        self._next_s = now + POLL_S
        if self._child is None:
            self._child = self._start(self._command)
            return
        process, written = self._child
        code = process.poll()
        self._say(written)
        if code is None:
            return
        written.close()
        self._child = None
        if code == 0:
            self.enrolled, self.text = True, ""
            log.info("this device is enrolled; starting again with its identity")
            return
        pause_s = RETRY_S_MIN + full_jitter(self._tries, RETRY_S_MIN, RETRY_S_MAX, random.random())  # noqa: S311 (no secret)
        self._tries += 1
        self._next_s = now + pause_s
        log.warning("not enrolled (%s); trying again in %.0f s", self.text or f"exit code {code}", pause_s)

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._child is not None:
            self._child[0].kill()
            self._child[0].wait()
            self._child[1].close()
            self._child = None

    @staticmethod
    def _start(command: list[str]) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
        errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors), errors

    def _say(self, written: IO[bytes]) -> None:
        """Take the last line that the process has written, for `status`; a new one goes to the log."""
        written.seek(0)
        lines = written.read(TEXT_BYTES_MAX).decode(errors="replace").splitlines()
        text = lines[-1].removeprefix("edgefleet-agent: ").strip() if lines else ""
        if text and text != self.text:
            self.text = text
            log.info("%s", text)
