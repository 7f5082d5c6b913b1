"""Executes commands that an operator sends to a single device. Each command is answered once; a repeat gets the same answer.

Long commands (see `long_commands`) are polled once a turn. After a restart of the agent they are forgotten, and started again
when the server, which has no answer yet, repeats the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from edgefleet_agent.sources.redact import redact
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.diagnosis.checks import CheckPlace, begin_check
from edgefleet_agent.supervisor.diagnosis.journal import JournalRead
from edgefleet_agent.supervisor.diagnosis.log_ring import JOURNAL, LogQuery, LogRing
from edgefleet_agent.supervisor.diagnosis.long_command import COMMAND_ID, PICTURES, Answer, LongCommand
from edgefleet_agent.supervisor.diagnosis.support_bundle import SupportBundle
from edgefleet_agent.supervisor.long_commands import Bench, Clip, LiveVideo, Sending, Snapshot, VideoOffer
from edgefleet_contract.core.errors import EdgefleetError, InputError, UnavailableError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.wire.environment_bill import BILL_OP, EnvironmentBill, bill_bytes, bill_digest
from edgefleet_contract.wire.live_video import VIDEO_OP
from edgefleet_contract.wire.messages import Command, CommandReply

UNSTORED = frozenset({"logs", VIDEO_OP})
"""Commands whose replies are not stored: they only read, and a log that is followed must not wear out the disk."""
TEXT_CHARS_MAX = 150_000
DETAIL_CHARS_MAX = 1000
LONG_COMMANDS_MAX = 4
"""On their way at once."""
LONG_COMMAND_S = 300.0
"""Time limit of a long command without a deadline, in seconds."""
EARLY_S = 1.0
"""Seconds before its deadline at which a long command is given up: the reply with the reason has to arrive in time."""


@dataclass(frozen=True, slots=True)
class CommandOffer:
    """Commands that a device allows. evidence: the folder of pictures and clips; on_request: the server may request them;
    bench: the command that measures, completed by options and a folder; bill: what is installed; journal: the command that shows
    the journal of the service; checks: by name, those of the checks that run as a program; support: the command that makes a
    support bundle; video: live video."""

    identity: dict[str, Any]
    evidence: Path
    on_request: bool
    bench: list[str]
    bill: EnvironmentBill
    video: VideoOffer
    journal: list[str] = field(default_factory=list)
    checks: dict[str, list[str]] = field(default_factory=dict)
    support: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Running:
    op: str
    long_command: LongCommand
    ends_s: float


class CommandHandler:
    """The commands this version knows."""

    def __init__(self, device: Device, ring: LogRing, offer: CommandOffer) -> None:
        self._device = device
        self._ring = ring
        self._offer = offer
        self._running: dict[str, _Running] = {}
        self._table: dict[str, Callable[[Command], Answer]] = {
            "identify": self._identify,
            "pipelines": self._pipelines,
            "restart": self._restart,
            BILL_OP: self._bill,
        }
        self._long_commands: dict[str, Callable[[Command, float], LongCommand]] = {
            "snapshot": lambda command, _now: Snapshot(device, command, self._evidence()),
            "clip": lambda command, _now: Clip(device.link.uplink, command, self._evidence()),
            VIDEO_OP: lambda command, _now: LiveVideo(device, command, offer.video),
            "bench": self._bench,
            "diagnose": self._diagnose,
            "support_bundle": self._support_bundle,
        }

    def handle(self, command: Command, now: float, wall: float) -> None:
        """Do it once, answer, and remember the answer; what takes a while is begun."""
        if command.id in self._running or self._device.link.uplink.repeat_reply(command.id):
            return
        answer = self._answer(command, now, wall)
        if answer is not None:
            self._reply(command.id, command.op, answer)

    def turn(self, now: float, wall: float) -> None:
        """Look after what is on its way."""
        for name, running in list(self._running.items()):
            try:
                answer = running.long_command.turn(now, wall)
            except EdgefleetError as error:
                answer = False, str(error), {}
            if answer is None and now > running.ends_s:
                answer = False, f"not done within its deadline: {running.long_command.stage()}", {}
            if answer is not None:
                del self._running[name]
                running.long_command.stop()
                self._reply(name, running.op, answer)

    @property
    def known(self) -> list[str]:
        """The names of all commands."""
        return [*self._table, "logs", *self._long_commands]

    @property
    def busy(self) -> bool:
        """Whether a command is under way, so that the next turn comes soon."""
        return bool(self._running)

    def stop(self) -> None:
        """Give up what is on its way; the server asks for it again."""
        for running in self._running.values():
            running.long_command.stop()
        self._running.clear()

    def _reply(self, name: str, op: str, answer: Answer) -> None:
        ok, detail, result = answer
        reply = CommandReply(id=name, ok=ok, detail=detail[:DETAIL_CHARS_MAX], result=result)
        self._device.link.uplink.reply(reply, stored=op not in UNSTORED)

    def _answer(self, command: Command, now: float, wall: float) -> Answer | None:
        if command.deadline_at and wall > command.deadline_at:
            return False, f"received {wall - command.deadline_at:.0f} s after its deadline; not executed", {}
        if command.op == "logs":
            return self._logs(command, now, wall)
        if (begin := self._long_commands.get(command.op)) is not None:
            return self._start_long(begin, command, now, wall)
        if (do := self._table.get(command.op)) is not None:
            return do(command)
        return False, f"unknown command {command.op}; known are {', '.join(self.known)}", {}

    def _start_long(
        self, begin: Callable[[Command, float], LongCommand], command: Command, now: float, wall: float
    ) -> Answer | None:
        if len(self._running) >= LONG_COMMANDS_MAX:
            return False, f"limit of {LONG_COMMANDS_MAX} concurrent commands reached; try again when one has ended", {}
        try:
            long_command = begin(command, now)
        except EdgefleetError as error:
            return False, str(error), {}
        left_s = command.deadline_at - wall if command.deadline_at else LONG_COMMAND_S
        self._running[command.id] = _Running(command.op, long_command, now + max(left_s - EARLY_S, left_s / 2))
        return None

    def _evidence(self) -> Path:
        if not self._offer.on_request:
            raise UnavailableError("disabled on this device: [evidence] on_request = false in its settings")
        return self._offer.evidence

    def _bench(self, command: Command, now: float) -> LongCommand:
        if any(isinstance(running.long_command, Bench) for running in self._running.values()):
            raise UnavailableError("a benchmark is already running; try again when it has ended")
        if (trial := self._trial()) is not None:
            raise UnavailableError(f"slot {trial} is on trial, which a benchmark would disturb; try again when it has ended")
        return Bench(self._device, command, self._offer.bench, now)

    def _identify(self, _command: Command) -> Answer:
        return True, "", self._offer.identity

    def _bill(self, command: Command) -> Answer:
        bill = self._offer.bill
        own = bill_digest(bill_bytes(bill))
        if command.args.get("digest", own) != own:
            return False, f"the bill of this device is {own} by now", {}
        return True, "", {"bill": to_plain(bill)}

    def _logs(self, command: Command, now: float, wall: float) -> Answer | None:
        """Lines of the log. Without a source, as text: so earlier servers ask."""
        try:
            query = LogQuery.of(command)
            if query.source == JOURNAL:
                return self._start_long(lambda _command, at: JournalRead(self._offer.journal, query, at), command, now, wall)
            if "source" not in command.args:
                return True, "", {"lines": self._ring.last(query.lines)}
            return True, "", self._ring.read(query)
        except EdgefleetError as error:
            return False, str(error), {}

    def _diagnose(self, command: Command, now: float) -> LongCommand:
        if command.args.get("check") == "selftest" and (trial := self._trial()) is not None:
            raise UnavailableError(f"slot {trial} is on trial, which a self-test would disturb; try again when it has ended")
        device, offer = self._device, self._offer
        folder = device.stores.packages.folder
        place = CheckPlace(device.processes.worker, device.pipelines.specs(), offer.checks, folder, offer.evidence)
        return begin_check(place, command, now)

    def _support_bundle(self, command: Command, now: float) -> LongCommand:
        if any(isinstance(running.long_command, SupportBundle) for running in self._running.values()):
            raise UnavailableError("a support bundle is already being made; try again when it has ended")
        if self._device.link.uplink.uploads is None:
            raise UnavailableError("uploads are disabled on this device: [evidence] on_request = false in its settings")
        if COMMAND_ID.match(command.id) is None:
            raise InputError("the command id is not valid as a file name")
        name = f"{PICTURES}/{command.id}.zip"
        upload = Sending(self._device.link.uplink, command.id, "support", name)
        log = self._ring.every_line()
        return SupportBundle(command, self._offer.support, self._offer.evidence / name, upload, log, now)

    def _pipelines(self, _command: Command) -> Answer:
        """Every pipeline, as it is written. Passwords stay here."""
        documents: list[dict[str, Any]] = []
        room = TEXT_CHARS_MAX
        for name, text, version in self._device.pipelines.documents():
            shown = redact(text)
            room -= len(shown)
            documents.append({"name": name, "text": shown if room >= 0 else "", "version": version})
        return True, "" if room >= 0 else "some pipelines are too long to send", {"pipelines": documents}

    def _restart(self, _command: Command) -> Answer:
        if (trial := self._trial()) is not None:
            return False, f"slot {trial} is on trial; try again when it has ended", {}
        self._device.processes.worker.port.restart("requested by an operator")
        return True, "the worker is restarting", {}

    def _trial(self) -> str | None:
        return next((slot for slot in self._device.stores.slots.names() if self._device.stores.slots.read(slot).trial), None)
