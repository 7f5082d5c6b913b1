"""The supervisor's loop: take events, observe, plan, execute one action, report. Level-triggered: callbacks change nothing.

A full or failing disk does not end the loop: a failed write is logged once and retried in the next turns.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from edgefleet_agent.core.clock import Clock
from edgefleet_agent.machine.vitals import Vitals, VitalsProbe
from edgefleet_agent.supervisor.action_executors import execute
from edgefleet_agent.supervisor.commands import CommandHandler
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_agent.supervisor.slot_report import report_slots
from edgefleet_agent.updates.actions import Wait
from edgefleet_agent.updates.plan import plan
from edgefleet_agent.updates.state import Observed
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.mqtt.events import LinkEvent
from edgefleet_contract.wire.enrolment import Certificate
from edgefleet_contract.wire.messages import Command, Desired, Event, Reported, SlotReport, Stream, Telemetry, TrustOffer
from edgefleet_contract.worker_process import EventFound, FromWorker

IDLE_S = 0.5
BUSY_S = 0.1
AFTER_ACTION_S = 0.005
WIND_UP_S = 1.0
AFTER_TROUBLE_S = 2.0
TROUBLE_OVER_S = 10.0
AWAITED_TELEMETRY_S = 5.0
WINDOW_S_MAX = 5.0
"""How long a due sample waits for the worker's gauges: without them it would report that nothing runs."""
VITALS_S = 2.0
TEXT_CHARS_MAX = 2000

log = logging.getLogger(__name__)


class Loop:
    """Joins the parts and turns. `on_event` gets every event besides the outbox; `on_turn` gets a snapshot each turn."""

    def __init__(
        self,
        device: Device,
        inbox: Inbox[LinkEvent],
        commands: CommandHandler,
        probe: VitalsProbe,
        clock: Clock,
        boot: str,
        telemetry_s: float,
        on_event: Callable[[Event], None],
    ) -> None:
        self._device = device
        self._inbox = inbox
        self._commands = commands
        self._probe = probe
        self._clock = clock
        self._boot = boot
        self._telemetry_s = telemetry_s
        self._on_event = on_event
        self._sampled_s = clock.monotonic()
        self._vitals_s = -VITALS_S
        self._vitals: Vitals = probe.sample()
        self._slots: Mapping[str, SlotReport] = {}
        self._trouble = ""
        self._troubled_s = 0.0
        self._offered: Desired | None = None

    def run(self, stopped: Callable[[], bool], on_turn: Callable[[Callable[[], dict[str, Any]]], None]) -> None:
        """Turn until `stopped`."""
        pause_s = 0.0
        while not stopped():
            events = self._inbox.take(pause_s)
            pause_s = self._guarded_turn(events)
            on_turn(self.snapshot)

    def wind_up(self, messages: list[FromWorker], patience_s: float = WIND_UP_S) -> None:
        """After the worker stopped: keep the events among its last `messages`, and give the server a moment to take them."""
        events = [message.event for message in messages if isinstance(message, EventFound)]
        self._keep(events, self._clock.wall())
        self._commands.stop()
        uplink, ends_s = self._device.uplink, self._clock.monotonic() + patience_s
        while uplink.connected and uplink.outbox.waiting and self._clock.monotonic() < ends_s:
            uplink.send_records(self._clock.monotonic())
            self._listen(self._inbox.take(BUSY_S), self._clock.monotonic(), self._clock.wall())

    def snapshot(self) -> dict[str, Any]:
        """The status that `edgefleet-agent status` shows, as plain data."""
        device, port = self._device, self._device.worker.port
        return {
            "device": device.id,
            "connected": device.uplink.connected,
            "generation": device.desired.generation if device.desired else 0,
            "slots": {slot: to_plain(report) for slot, report in self._slots.items()},
            "pipelines": self._pipelines(),
            "worker": {"up": port.up, "restarts": port.restarts, "crashes": port.crashes, "rss_bytes": device.worker.rss_bytes},
            "trust": device.signatures.summary,
            "certificate_expires_at": device.renewal.expires_at,
            "outbox": {"records": device.uplink.outbox.waiting, "lost": device.uplink.outbox.lost},
            "supervisor_rss_bytes": self._vitals.rss_bytes,
            "disk_free_bytes": self._vitals.disk_free_bytes,
            "trouble": self._troubles(),
        }

    def _troubles(self) -> str:
        """Everything that is wrong with the device itself, for its status and its report."""
        device, uplink = self._device, self._device.uplink
        uploads = uplink.uploads.trouble if uplink.uploads is not None else ""
        found = (
            device.connection_trouble,
            *device.start_troubles,
            uplink.outbox.trouble,
            uploads,
            device.signatures.trouble,
            self._trouble,
        )
        return "; ".join(text for text in found if text)[:TEXT_CHARS_MAX]

    def _guarded_turn(self, events: list[LinkEvent]) -> float:
        try:
            pause_s = self._turn(events)
        except StoreError as error:
            self._note_trouble(error)
            pause_s = AFTER_TROUBLE_S
        if self._trouble and self._clock.monotonic() - self._troubled_s > TROUBLE_OVER_S:
            log.info("the disk works again")
            self._trouble = ""
        return pause_s

    def _note_trouble(self, error: StoreError) -> None:
        if str(error) != self._trouble:
            log.error("%s", error)
        self._trouble, self._troubled_s = str(error), self._clock.monotonic()

    def _turn(self, events: list[LinkEvent]) -> float:
        """One turn; how long the next one may wait."""
        device = self._device
        now, wall = self._clock.monotonic(), self._clock.wall()
        self._listen(events, now, wall)
        device.selftests.turn(now)
        device.check_signatures(now, wall)
        device.renewal.turn(device.uplink, device.id, now, wall)
        self._commands.turn(now, wall)
        device.poll_usb_imports(now)
        if device.patcher.turn(device.uplink.metadata, now):
            device.uplink.blocks.retry_local_sources()
        seen = device.worker.turn(now, wall)
        self._keep(seen, wall)
        device.judge_moment(self._vitals.temperature_c, wall)
        observed = device.observe(now, wall)
        action = plan(device.effective_desired, observed, now)
        try:
            execute(device, action, now, wall)
        finally:  # a disk that refuses must not silence the device
            self._report(observed if isinstance(action, Wait) else device.observe(now, wall), now, wall)
        if not isinstance(action, Wait) or device.uplink.busy:
            return AFTER_ACTION_S
        child = device.selftests.busy or device.signatures.busy or self._commands.busy or not observed.worker_up
        busy = child or any(facts.record.trial or facts.fetching for facts in observed.slots.values())
        return BUSY_S if busy else IDLE_S

    def _keep(self, events: list[Event], wall: float) -> None:
        uplink = self._device.uplink
        uplink.keep(Stream.EVENTS, list(events), wall)
        for event in events:
            self._on_event(event)
            if uplink.uploads is not None:
                uplink.uploads.take(event, wall)

    def _listen(self, events: list[LinkEvent], now: float, wall: float) -> None:
        received_before = self._device.uplink.received_s
        for event in events:
            self._take(event, now, wall)
        if self._device.uplink.received_s != received_before:
            self._device.worker.on_server_contact()
            if self._device.self_update is not None:
                self._device.self_update.server_contact = True
        if self._offered is not None:  # stays on offer while the disk cannot keep it
            self._accept(self._offered)

    def _accept(self, desired: Desired) -> None:
        try:
            self._device.accept(desired)
            self._offered = None
        except StoreError as error:
            self._note_trouble(error)

    def _take(self, event: LinkEvent, now: float, wall: float) -> None:
        """One event of the line. A disk that refuses what it asks for must not cost the next one, which may be "connected"."""
        try:
            message = self._device.uplink.handle(event, now, wall)
            if isinstance(message, Desired):
                self._offered = message
            elif isinstance(message, TrustOffer):
                self._device.signatures.offer(message)
            elif isinstance(message, Certificate):
                self._device.renewal.granted(message)
            elif isinstance(message, Command):
                self._commands.handle(message, now, wall)
        except StoreError as error:
            self._note_trouble(error)

    def _report(self, observed: Observed, now: float, wall: float) -> None:
        """Send a report, and a sample of telemetry if one is due; sooner if a trial waits for server contact."""
        device = self._device
        self._slots = report_slots(device.effective_desired, observed, self._slots, wall)
        if now - self._vitals_s >= VITALS_S:
            self._vitals_s, self._vitals = now, self._probe.sample()
        every_s = min(self._telemetry_s, AWAITED_TELEMETRY_S) if device.worker.awaits_server else self._telemetry_s
        due_s = self._sampled_s + every_s
        if now >= due_s + (WINDOW_S_MAX if device.worker.between_windows else 0.0):
            device.uplink.keep(Stream.TELEMETRY, [self._sample(now - self._sampled_s, wall)], wall)
            self._sampled_s = now
        report = Reported(
            device=device.id,
            boot=self._boot,
            version=0,
            generation=device.desired.generation if device.desired else 0,
            sent_at=wall,
            slots=dict(self._slots),
            pipelines=self._pipelines(),
            disk_free_bytes=observed.disk_free_bytes,
            trouble=self._troubles(),
        )
        device.uplink.turn(report, now, wall)

    def _pipelines(self) -> dict[str, str]:
        """State of each pipeline in a few words."""
        worker = self._device.worker
        gauges = worker.gauges.pipelines if worker.gauges else {}
        states = {}
        for name, spec in self._device.specs().items():
            absent = [slot for slot in spec.slots() if slot not in worker.running]
            if name in gauges:
                states[name] = gauges[name].state or "running"
            elif not worker.port.up:
                states[name] = "worker is down"
            elif absent:
                states[name] = f"waits for slot {absent[0]}"
            else:
                states[name] = worker.pipelines_detail[:200] or "starting"
        return states | self._device.wrong_pipelines()

    def _sample(self, window_s: float, wall: float) -> Telemetry:
        device, vitals = self._device, self._vitals
        gauges = device.worker.take_window()
        return Telemetry(
            at=wall,
            window_s=gauges.window_s if gauges else round(window_s, 3),
            pipelines=gauges.pipelines if gauges else {},
            cpu_percent=vitals.cpu_percent,
            supervisor_rss_bytes=vitals.rss_bytes,
            worker_rss_bytes=device.worker.rss_bytes,
            temperature_c=vitals.temperature_c,
            disk_free_bytes=vitals.disk_free_bytes,
            outbox_records=device.uplink.outbox.waiting,
            outbox_lost=device.uplink.outbox.lost,
            worker_restarts=device.worker.port.restarts,
            shadows=gauges.shadows if gauges else {},
        )
