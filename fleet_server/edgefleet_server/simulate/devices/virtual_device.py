"""A virtual device without a model: it uses the real contract over a real broker, fetches and verifies real blocks, keeps its
telemetry until it is acknowledged, and ends updates according to its `nature`. One object on one event loop.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from edgefleet_contract.core.errors import EdgefleetError, MessageError
from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.mqtt import packets
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.backoff import full_jitter
from edgefleet_contract.wire.enrolment import AuthorityOffer, Certificate, RenewRequest
from edgefleet_contract.wire.messages import Ack, Command, CommandReply, Desired, PresenceMessage, Reported, Stream
from edgefleet_server.link.broker_access import LIMITS
from edgefleet_server.simulate.devices.device_behaviour import (
    CONFIDENCE,
    CONFIDENCE_LOSS_PER_MIN,
    DRIFT_PER_MIN,
    Connectivity,
    DeviceBehaviour,
)
from edgefleet_server.simulate.devices.fetching import CAPABILITIES, RUNTIMES
from edgefleet_server.simulate.devices.identities import SimulatedIdentities
from edgefleet_server.simulate.devices.mqtt_client import REFUSED_CODES, MqttMessages, SimulatedMqttClient
from edgefleet_server.simulate.devices.outbox import Outbox
from edgefleet_server.simulate.devices.update_state import Environment, UpdateState

KEEPALIVE_S: Final = 60
REPORT_S: Final = 1.0
PROGRESS_S: Final = 5.0
RENEW_RETRY_S: Final = 30.0
ANSWERS_MAX: Final = 256
TURN_S: Final = 1.0
BINS: Final = 10
"""Of the confidence, as agents report it."""


@dataclass(frozen=True, slots=True)
class SimulationWorld:
    """Shared environment of a simulated fleet. `dial` opens a device's connection; it returns when TCP is up or has failed.
    `identities`: of devices with certificates."""

    ground: Environment
    telemetry_s: float
    run: str
    dial: Callable[[str, SimulatedMqttClient, MqttMessages], Coroutine[Any, Any, None]]
    identities: SimulatedIdentities | None = None


class VirtualDevice:
    """One device, which implements `MqttMessages`. `begin` connects and reconnects; `turn` has to be called every `TURN_S`."""

    def __init__(self, nature: DeviceBehaviour, world: SimulationWorld) -> None:
        self.nature = nature
        self.device = nature.device
        self.outbox = Outbox(self.device, f"{world.run}-{self.device[-40:]}")
        self._world = world
        self._connectivity = Connectivity(world.ground.model, nature)
        self._chance = random.Random(f"{world.ground.model.seed}:{self.device}:life")  # noqa: S311 (repeatable on purpose)
        self._line: SimulatedMqttClient | None = None
        self._connection = 0
        self._tries = 0
        self._version = 0
        self._updates = UpdateState(nature, world.ground, self)
        self._tally = world.ground.tally
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._reported_s = 0.0
        self._pinged_s = 0.0
        self._lost = False
        self._closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    # -- called by the fleet

    def begin(self) -> None:
        """Run the device. A device that is offline at the start connects later."""
        self.after("telemetry", self._world.telemetry_s * self.nature.phase, self._measure)
        if self.nature.begin_s:
            self.after("line", self.nature.begin_s, self._connect)
        elif self._connectivity.starts_online():
            self._connect()
        else:
            self.after("line", self._connectivity.away_s(), self._connect)

    def close(self) -> None:
        """Stop cleanly: publish the end of the presence and disconnect."""
        self._closing = True
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        if self._line is not None and self._line.is_up:
            self._line.say(topics.presence(self.device), encode(self._presence(online=False)), retain=True)
            self._line.close()

    def turn(self, now: float) -> None:
        """Do periodic work: a report, missing blocks, a keepalive. `now` is monotonic."""
        if self._line is None or not self._line.is_up:
            return
        if now - self._pinged_s > KEEPALIVE_S / 2.5:
            self._pinged_s = now
            self._line.ping()
        updates = self._updates
        if updates.fetching:
            updates.ask(now)
            updates.changed = updates.changed or now - self._reported_s > PROGRESS_S
        if updates.changed and now - self._reported_s >= REPORT_S:
            self._report(now)

    # -- MqttMessages

    def up(self) -> None:
        """Handle a new connection: subscribe, publish birth and report, and send unacknowledged records again."""
        line = self._line
        assert line is not None
        self._tries = 0
        self._tally.online += 1
        self._tally.connections += 1
        certified = [(topics.authorities(), 1)] if self._world.identities is not None else []
        line.listen([(topics.all_down(self.device), 1), *certified])
        line.say(topics.presence(self.device), encode(self._presence(online=True)), retain=True)
        self._report(time.monotonic())
        self.outbox.ask_again()
        self._updates.line_up()
        stay_s = self._connectivity.stay_s()
        if stay_s is not None:
            self.after("line", stay_s, line.abort)

    def down(self, text: str) -> None:
        """Handle the loss of the connection: reconnect after a random offline period, or after a pause with jitter."""
        line, was_up, self._line = self._line, self._tries == 0, None
        if was_up:
            self._tally.online -= 1
        else:
            self._tally.fault = text
            self._tally.connections_refused += line is not None and line.code in REFUSED_CODES
        if self._closing or self._lost:
            return
        if was_up and self._world.ground.model.offline_rate:
            self._tally.lost_connections += 1
            wait_s = self._connectivity.away_s()
        else:
            wait_s = full_jitter(self._tries, LIMITS.reconnect_min_s, LIMITS.reconnect_max_s, self._chance.random())
        self.after("line", wait_s, self._connect)

    def on_message(self, topic: str, payload: memoryview) -> None:
        """Handle a message."""
        block, sealed = topics.parse_block(topic), topics.parse_sealed_block(topic)
        try:
            if block is not None:
                self._updates.block(*block, payload, requested=topic.startswith(f"{topics.ROOT}/d/"))
            elif sealed is not None:
                self._updates.sealed_block(*sealed, bytes(payload))
            elif topic.endswith("/ack"):
                self._acked(decode(bytes(payload), Ack))
            elif topic.endswith("/desired"):
                desired = decode(bytes(payload), Desired)
                self.after(f"desired {desired.generation}", self.nature.link_s, lambda: self._updates.desire(desired))
            elif topic == topics.authorities():
                self._offered(decode(bytes(payload), AuthorityOffer))
            elif topic.endswith("/certificate"):
                self._task(self._granted(decode(bytes(payload), Certificate)))
            elif topic.endswith("/cmd"):
                self._command(decode(bytes(payload), Command))
        except MessageError:
            return  # an invalid message does not end a device, and has no error reply

    def _connect(self) -> None:
        self._connection += 1
        self._tries += 1
        will = encode(self._presence(online=False))
        self._line = SimulatedMqttClient(packets.connect(self.device, KEEPALIVE_S, topics.presence(self.device), will), self)
        self._task(self._world.dial(self.device, self._line, self))

    def _task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _presence(self, *, online: bool) -> PresenceMessage:
        return PresenceMessage(
            device=self.device,
            online=online,
            boot=self._world.run,
            connection=self._connection,
            agent_version="virtual",
            sent_at=self._wall(),
            profile=self.nature.profile,
            runtimes=RUNTIMES,
            capabilities=CAPABILITIES if online else [],
            hardware={"arch": "virtual"},
            labels=dict(self.nature.labels),
        )

    # -- Publisher of the update state

    def say(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Send a message; False if that is not possible now."""
        return self._line is not None and self._line.say(topic, payload, qos=qos, retain=retain)

    def listen(self, filters: list[str]) -> None:
        """Subscribe at QoS 0."""
        if self._line is not None:
            self._line.listen([(name, 0) for name in filters])

    def unlisten(self, filters: list[str]) -> None:
        """Unsubscribe."""
        if self._line is not None:
            self._line.unlisten(filters)

    def vanish(self) -> None:
        """Go offline and stay offline, because of a broken update."""
        self._lost = True
        self._tally.updates["vanished"] += 1
        if self._line is not None:
            self._line.abort()

    def after(self, what: str, wait_s: float, do: Callable[[], object]) -> None:
        """Start a timer; it replaces one with the same name."""
        before = self._timers.pop(what, None)
        if before is not None:
            before.cancel()

        def fire() -> None:
            self._timers.pop(what, None)
            do()

        self._timers[what] = asyncio.get_running_loop().call_later(wait_s, fire)

    # -- certificates

    def _offered(self, offer: AuthorityOffer) -> None:
        wait_s = self._chance.uniform(0.0, offer.spread_s)
        self.after("renew", wait_s, lambda: self._renew(frozenset(offer.authorities)))

    def _renew(self, offered: frozenset[str]) -> None:
        """Ask for a certificate until the device trusts what is offered."""
        identities = self._world.identities
        if identities is None or offered == frozenset(identities.authorities(self.device)):
            return
        self.say(topics.renew(self.device), encode(RenewRequest(request=identities.new_request(self.device))))
        self.after("renew", RENEW_RETRY_S, lambda: self._renew(offered))

    async def _granted(self, answer: Certificate) -> None:
        if self._world.identities is None:
            return
        try:
            await asyncio.to_thread(self._world.identities.granted, self.device, answer)
        except EdgefleetError as error:
            self._tally.fault = str(error)
            return
        self._updates.changed = True  # reports what it trusts

    # -- reports, commands, telemetry

    def _report(self, now: float) -> None:
        self._version += 1
        self._reported_s = now
        report = Reported(
            device=self.device,
            boot=self._world.run,
            version=self._version,
            generation=self._updates.generation,
            sent_at=self._wall(),
            slots=dict(self._updates.slots),
            disk_free_bytes=20 * 10**9,
            authorities=self._world.identities.authorities(self.device) if self._world.identities is not None else [],
        )
        self._updates.changed = not self.say(topics.reported(self.device), encode(report), retain=True)

    def _command(self, command: Command) -> None:
        known = self._answers.get(command.id)
        if known is None:
            self._tally.commands += 1
            known = encode(CommandReply(id=command.id, ok=True, detail="done by a virtual device", result=dict(command.args)))
            self._answers[command.id] = known
            if len(self._answers) > ANSWERS_MAX:
                self._answers.popitem(last=False)
        self.say(topics.reply(self.device), known)

    def _measure(self) -> None:
        if self._lost:
            return
        self.after("telemetry", self._world.telemetry_s, self._measure)
        lost_before = self.outbox.lost
        self.outbox.add(self._sample())
        tally = self._tally
        tally.records_made += 1
        tally.records_lost += self.outbox.lost - lost_before
        self._send_batches()

    def _send_batches(self) -> None:
        """Send the batches for which the window has room."""
        tally, again_before = self._tally, self.outbox.sent_again
        if self._line is None or not self._line.is_up:
            return
        batch = self.outbox.next(time.monotonic())
        while batch is not None:
            if not self.say(topics.telemetry(self.device), encode(batch)):
                self.outbox.ask_again()
                break
            tally.batches_sent += 1
            batch = self.outbox.next(time.monotonic())
        tally.batches_sent_again += self.outbox.sent_again - again_before

    def _wall(self) -> float:
        """Wall time by the clock of the device."""
        return time.time() + self.nature.clock_s

    def _sample(self) -> dict[str, Any]:
        since_s = self._updates.slower_since_s
        slower_min = (time.monotonic() - since_s) / 60.0 if since_s is not None else 0.0
        latency_ms = self.nature.latency_ms * self._chance.uniform(0.95, 1.1) * (1.0 + DRIFT_PER_MIN * slower_min)
        latency = {"p50_ms": round(latency_ms, 2), "p95_ms": round(latency_ms * 1.3, 2), "max_ms": round(latency_ms * 2, 2)}
        confidence = [0] * BINS
        confidence[min(BINS - 1, int(BINS * max(0.0, CONFIDENCE - CONFIDENCE_LOSS_PER_MIN * slower_min)))] = 100
        gauges = {"process_fps": 15.0, "camera_fps": 15.0, "latency": {"inspect": latency}, "confidence": confidence}
        return {
            "at": round(self._wall(), 3),
            "window_s": self._world.telemetry_s,
            "pipelines": {"conveyor": gauges},
            "cpu_percent": round(self._chance.uniform(18.0, 35.0), 1),
            "temperature_c": round(self.nature.temperature_c + self._chance.uniform(-1.0, 1.0), 1),
            "disk_free_bytes": 20 * 10**9,
            "outbox_records": len(self.outbox),
        }

    def _acked(self, ack: Ack) -> None:
        if ack.stream is not Stream.TELEMETRY:
            return
        before = self.outbox.acked
        for seconds in self.outbox.on_ack(ack, time.monotonic()):
            self._tally.stored_after.add(seconds)
        self._tally.records_stored += self.outbox.acked - before
        self._send_batches()
