"""The supervisor's loop: take events, observe, plan, execute one action, report. Level-triggered: callbacks change nothing.

A full or failing disk does not end the loop: a failed write is logged once and retried in the next turns.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from edgefleet_agent.core.clock import Clock
from edgefleet_agent.supervisor import desired_state, factory_packages
from edgefleet_agent.supervisor.action_executors import execute
from edgefleet_agent.supervisor.commands import CommandHandler
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_agent.supervisor.observation import follow_worker, judge_moment, observe
from edgefleet_agent.supervisor.status_report import StatusReporter
from edgefleet_agent.supervisor.worker.event_intake import EventIntake
from edgefleet_agent.updates.actions import Wait
from edgefleet_agent.updates.plan import plan
from edgefleet_agent.updates.state import Observed
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.mqtt.events import LinkEvent
from edgefleet_contract.wire.enrolment import AuthorityOffer, Certificate
from edgefleet_contract.wire.messages import Command, Desired, Event, TrustOffer
from edgefleet_contract.worker_process import EventFound, FromWorker

IDLE_S = 0.5
BUSY_S = 0.1
AFTER_ACTION_S = 0.005
WIND_UP_S = 1.0
AFTER_FAULT_S = 2.0
FAULT_OVER_S = 10.0

log = logging.getLogger(__name__)


class Loop:
    """Joins the parts and turns. `on_event` gets every event besides the outbox; `on_turn` gets a snapshot each turn."""

    def __init__(
        self,
        device: Device,
        inbox: Inbox[LinkEvent],
        commands: CommandHandler,
        reporter: StatusReporter,
        clock: Clock,
        on_event: Callable[[Event], None],
    ) -> None:
        self._device = device
        self._inbox = inbox
        self._commands = commands
        self._reporter = reporter
        self._clock = clock
        self._intake = EventIntake(device.link.uplink, device.processes.worker.port, device.options.folder / "evidence", on_event)
        self._fault = ""
        self._fault_seen_s = 0.0

    def run(self, stopped: Callable[[], bool], on_turn: Callable[[Callable[[], dict[str, Any]]], None]) -> None:
        """Turn until `stopped`."""
        pause_s = 0.0
        while not stopped():
            events = self._inbox.take(pause_s)
            pause_s = self._guarded_turn(events)
            on_turn(self.snapshot)

    def wind_up(self, messages: list[FromWorker], patience_s: float = WIND_UP_S) -> None:
        """After the worker stopped: keep the events among its last `messages`, and give the server a moment to take them."""
        found = [message for message in messages if isinstance(message, EventFound)]
        self._intake.turn(found, self._clock.monotonic(), self._clock.wall())
        self._commands.stop()
        uplink, ends_s = self._device.link.uplink, self._clock.monotonic() + patience_s
        while uplink.connected and uplink.outbox.waiting and self._clock.monotonic() < ends_s:
            uplink.send_records(self._clock.monotonic())
            self._listen(self._inbox.take(BUSY_S), self._clock.monotonic(), self._clock.wall())

    def snapshot(self) -> dict[str, Any]:
        """The status that `edgefleet-agent status` shows, as plain data."""
        return self._reporter.snapshot(self._fault, self._clock.wall())

    def _guarded_turn(self, events: list[LinkEvent]) -> float:
        try:
            with as_store_error(self._device.options.folder):
                pause_s = self._turn(events)
        except StoreError as error:
            self._note_fault(error)
            pause_s = AFTER_FAULT_S
        if self._fault and self._clock.monotonic() - self._fault_seen_s > FAULT_OVER_S:
            log.info("the disk works again")
            self._fault = ""
        return pause_s

    def _note_fault(self, error: StoreError) -> None:
        if str(error) != self._fault:
            log.error("%s", error)
        self._fault, self._fault_seen_s = str(error), self._clock.monotonic()

    def _turn(self, events: list[LinkEvent]) -> float:
        """One turn; how long the next one may wait."""
        device = self._device
        now, wall = self._clock.monotonic(), self._clock.wall()
        self._listen(events, now, wall)
        self._turn_parts(now, wall)
        observed = self._observe(now, wall)
        action = plan(desired_state.effective(device), observed, now)
        try:
            execute(device, action, now, wall)
        finally:  # a disk that refuses must not silence the device
            self._reporter.report(observed if isinstance(action, Wait) else self._observe(now, wall), self._fault, now, wall)
        if not isinstance(action, Wait) or device.link.uplink.busy:
            return AFTER_ACTION_S
        child = device.processes.selftests.busy or device.trust.signatures.busy or self._commands.busy or not observed.worker_up
        busy = child or any(facts.record.trial or facts.fetching for facts in observed.slots.values())
        return BUSY_S if busy else IDLE_S

    def _turn_parts(self, now: float, wall: float) -> None:
        """One step of each part that goes on by itself; the worker, whose answers the observation needs, is the last."""
        device, uplink = self._device, self._device.link.uplink
        device.processes.selftests.turn(now)
        device.trust.turn(uplink.metadata, now, wall)
        device.link.renewal.turn(uplink, device.id, now, wall)
        self._commands.turn(now, wall)
        device.stores.slots.turn()
        desired_state.take_imports(device, now)
        factory_packages.turn(device, now)
        if device.sources.patcher.turn(uplink.metadata, now):
            uplink.blocks.retry_local_sources()
        self._intake.turn(device.processes.worker.turn(now, wall), now, wall)
        judge_moment(device, self._reporter.temperature_c, wall)

    def _observe(self, now: float, wall: float) -> Observed:
        follow_worker(self._device, now, wall)
        return observe(self._device, now, wall)

    def _listen(self, events: list[LinkEvent], now: float, wall: float) -> None:
        received_before = self._device.link.uplink.received_s
        for event in events:
            self._take(event, now, wall)
        if self._device.link.uplink.received_s != received_before:
            self._device.processes.worker.trials.on_server_contact()
            if self._device.processes.self_update is not None:
                self._device.processes.self_update.server_contact = True
        offered = self._device.state.offered
        if offered is not None:  # stays on offer while the disk cannot keep it
            self._accept(offered)

    def _accept(self, desired: Desired) -> None:
        try:
            desired_state.accept(self._device, desired)
            self._device.state.offered = None
        except StoreError as error:
            self._note_fault(error)

    def _take(self, event: LinkEvent, now: float, wall: float) -> None:
        """One event of the line. A disk that refuses what it asks for must not cost the next one, which may be "connected"."""
        try:
            message = self._device.link.uplink.handle(event, now, wall)
            if isinstance(message, Desired):
                self._device.state.offered = message
            elif isinstance(message, TrustOffer):
                self._device.trust.signatures.offer(message)
            elif isinstance(message, AuthorityOffer):
                self._device.link.renewal.offered(message, now)
            elif isinstance(message, Certificate):
                self._device.link.renewal.granted(message)
            elif isinstance(message, Command):
                self._commands.handle(message, now, wall)
        except StoreError as error:
            self._note_fault(error)
