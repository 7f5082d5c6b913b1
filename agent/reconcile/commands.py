"""Answers what an operator asks a single device for. Each command is answered once; a repeat gets the same answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from logging import Formatter, Handler, LogRecord
from typing import Any

from agent.contract.messages import Command, Reply
from agent.reconcile.device import Device
from agent.sources.redact import redact

LOG_LINES_MAX = 1000
LOG_CHARS_MAX = 100_000
LINE_CHARS_MAX = 1000
TEXT_CHARS_MAX = 150_000

Answer = tuple[bool, str, dict[str, Any]]


class LogRing(Handler):
    """The last lines of the log, in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=LOG_LINES_MAX)
        self.setFormatter(Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: LogRecord) -> None:
        self._lines.append(self.format(record)[:LINE_CHARS_MAX])

    def last(self, count: int) -> list[str]:
        """The last `count` lines, oldest first, as far as they fit into one message."""
        lines: list[str] = []
        room = LOG_CHARS_MAX
        for line in list(self._lines)[::-1][:count]:
            room -= len(line)
            if room < 0:
                break
            lines.append(line)
        return lines[::-1]


class Commands:
    """The commands this version knows. `identity` is what `identify` tells."""

    def __init__(self, device: Device, ring: LogRing, identity: dict[str, Any]) -> None:
        self._device = device
        self._ring = ring
        self._identity = identity
        self._table: dict[str, Callable[[Command], Answer]] = {
            "identify": self._identify,
            "logs": self._logs,
            "pipelines": self._pipelines,
            "restart": self._restart,
        }

    def handle(self, command: Command, wall: float) -> None:
        """Do it once, answer, and remember the answer."""
        if self._device.uplink.repeat_reply(command.id):
            return
        ok, detail, result = self._answer(command, wall)
        self._device.uplink.reply(Reply(id=command.id, ok=ok, detail=detail, result=result))

    def _answer(self, command: Command, wall: float) -> Answer:
        if command.deadline_at and wall > command.deadline_at:
            return False, f"it came {wall - command.deadline_at:.0f} s after its deadline; nothing was done", {}
        do = self._table.get(command.op)
        if do is None:
            return False, f"{command.op} is not in this version; known are {', '.join(self._table)}", {}
        return do(command)

    def _identify(self, _command: Command) -> Answer:
        return True, "", self._identity

    def _logs(self, command: Command) -> Answer:
        lines = command.args.get("lines", 200)
        if not isinstance(lines, int) or not 1 <= lines <= LOG_LINES_MAX:
            return False, f"lines: a whole number between 1 and {LOG_LINES_MAX}", {}
        return True, "", {"lines": self._ring.last(lines)}

    def _pipelines(self, _command: Command) -> Answer:
        """Every pipeline, as it is written. Passwords stay here."""
        told: list[dict[str, Any]] = []
        room = TEXT_CHARS_MAX
        for name, text, version in self._device.written():
            shown = redact(text)
            room -= len(shown)
            told.append({"name": name, "text": shown if room >= 0 else "", "version": version})
        return True, "" if room >= 0 else "some are too long to be told", {"pipelines": told}

    def _restart(self, _command: Command) -> Answer:
        trial = next((slot for slot in self._device.slots.names() if self._device.slots.read(slot).trial), None)
        if trial is not None:
            return False, f"slot {trial} is on trial; ask again when it has ended", {}
        self._device.worker.port.restart("an operator asked for it")
        return True, "the worker is starting again", {}
