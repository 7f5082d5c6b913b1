"""Update state machine of a virtual device: fetch, verify, trial, commit or roll back, according to its behaviour."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Desired, Running, SlotPhase, SlotReport, SlotTarget
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.simulate.devices.blob_cache import BlobCache
from edgefleet_server.simulate.devices.counters import Counters
from edgefleet_server.simulate.devices.device_behaviour import DeviceBehaviour, FleetModel, UpdateOutcome, fate
from edgefleet_server.simulate.devices.fetching import RUNTIMES, Fetch

QUARANTINE_MAX: Final = 64


class Publisher(Protocol):
    """Publishing functions of the device for its updates."""

    def say(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Send a message; False if that is not possible now."""
        ...

    def listen(self, filters: list[str]) -> None:
        """Subscribe at QoS 0."""
        ...

    def unlisten(self, filters: list[str]) -> None:
        """Unsubscribe."""
        ...

    def after(self, what: str, wait_s: float, do: Callable[[], object]) -> None:
        """Call `do` after `wait_s`; a timer with the same name is replaced."""
        ...

    def vanish(self) -> None:
        """Go offline and stay offline."""
        ...


@dataclass(frozen=True, slots=True)
class Environment:
    """Shared environment of a simulated fleet."""

    model: FleetModel
    shelf: BlobCache
    tally: Counters


class UpdateState:
    """The slots of one device. `changed` is set if there is something new to report; `slower_since_s`: monotonic time since which
    a version runs that becomes slower and slower."""

    def __init__(self, nature: DeviceBehaviour, ground: Environment, publisher: Publisher) -> None:
        self.slots: dict[str, SlotReport] = {}
        self.generation = 0
        self.changed = False
        self._nature = nature
        self._ground = ground
        self._publisher = publisher
        self._chance = random.Random(f"{ground.model.seed}:{nature.device}:updates")  # noqa: S311 (repeatable on purpose)
        self._fetches: dict[str, Fetch] = {}
        self._stored: set[str] = set()
        self._before: dict[str, Running | None] = {}
        self._waiting: dict[str, SlotTarget] = {}
        self._quarantine: dict[str, UpdateOutcome] = {}
        self._trial_s = 0.0
        self._window = 8
        self.slower_since_s: float | None = None

    @property
    def fetching(self) -> bool:
        """Whether blocks are missing."""
        return any(not fetch.done for fetch in self._fetches.values())

    def line_up(self) -> None:
        """Handle a new connection, which has no requests in flight and no subscriptions."""
        for fetch in self._fetches.values():
            fetch.ask_again()
            self._listen(fetch, ())

    def desire(self, desired: Desired) -> None:
        """Handle a desired document; one that was processed before is ignored."""
        if desired.generation <= self.generation:
            return
        self.generation = desired.generation
        self._trial_s = desired.policy.trial_s
        self._window = desired.policy.fetch_window
        for slot, target in desired.slots.items():
            known = self.slots.get(slot)
            if known is not None and known.phase is SlotPhase.TRIAL:
                self._waiting[slot] = target  # no trial is cut short by a newer desire
            elif slot in self._fetches and known is not None and known.phase is SlotPhase.WAITING_WINDOW and _same(known, target):
                self._fetches[slot].target = target
                self._progress(slot, self._fetches[slot])  # it was on hold, and may switch now
            elif known is None or (known.target, known.attempt) != (target.digest, target.attempt):
                self._take(slot, target)
        for slot in self._fetches.keys() - desired.slots.keys():
            self._forget_fetch(slot)
        self.changed = True

    def _take(self, slot: str, target: SlotTarget) -> None:
        self._forget_fetch(slot)
        known = self.slots.get(slot)
        running = known.running if known else None
        if running is not None and running.digest == target.digest:
            self._set(slot, target, SlotPhase.COMMITTED, running)
            return
        self._before[slot] = running
        failed = self._quarantine.get(target.digest)
        if failed is not None:
            self._set(slot, target, SlotPhase.REFUSED, running, Reason.QUARANTINED, failed.detail)
            return
        try:
            fetch = Fetch(target, self._nature.profile, self._ground.shelf, self._window, self._stored)
        except ManifestError as error:
            self._set(slot, target, SlotPhase.REFUSED, running, Reason.MANIFEST_INVALID, str(error)[:300])
            return
        self._fetches[slot] = fetch
        self._set(slot, target, SlotPhase.FETCHING, running)
        self._listen(fetch, ())
        self._progress(slot, fetch)
        self.ask(time.monotonic())

    def _set(
        self,
        slot: str,
        target: SlotTarget,
        phase: SlotPhase,
        running: Running | None,
        reason: Reason = Reason.NONE,
        detail: str = "",
    ) -> None:
        fetch = self._fetches.get(slot)
        self.slots[slot] = SlotReport(
            phase=phase,
            running=running,
            target=target.digest,
            attempt=target.attempt,
            reason=reason,
            detail=detail,
            bytes_done=fetch.bytes_done if fetch else 0,
            bytes_total=fetch.bytes_total if fetch else 0,
            since_at=time.time(),
        )
        self.changed = True
        if phase in (SlotPhase.COMMITTED, SlotPhase.ROLLED_BACK, SlotPhase.REFUSED):
            self._ground.tally.updates[phase.value] += 1

    def ask(self, now: float) -> None:
        """Send the requests for missing blocks that fit the window."""
        for fetch in self._fetches.values():
            for want in fetch.wants(now):
                if not self._publisher.say(topics.block_request(self._nature.device), encode(want), qos=0):
                    fetch.ask_again()
                    return

    def block(self, sha256: str, index: int, data: memoryview, *, requested: bool) -> None:
        """Handle a received block; `requested`: sent to this device alone, not broadcast."""
        tally, now = self._ground.tally, time.monotonic()
        if not data:
            return
        for slot, fetch in list(self._fetches.items()):
            before = fetch.listening
            try:
                right = fetch.take(sha256, index, data, now)
            except ManifestError as error:
                report = self.slots[slot]
                self._forget_fetch(slot)
                self._set(slot, fetch.target, SlotPhase.REFUSED, report.running, Reason.MANIFEST_INVALID, str(error)[:300])
                continue
            if right is None:
                continue
            tally.blocks_wrong += not right
            tally.blocks += 1
            tally.block_bytes += len(data)
            if fetch.listening != before:
                self._listen(fetch, tuple(before))
            self._progress(slot, fetch)
            self.ask(now)
            return
        tally.blocks_unasked += requested

    def sealed_block(self, channel: str, index: int, sealed: bytes) -> None:
        """Handle a sealed block of a broadcast.

        Raises:
            MessageError: the key does not open it.
        """
        for fetch in list(self._fetches.values()):
            opened = fetch.open_block(channel, index, sealed)
            if opened is not None:
                self.block(opened[0], index, memoryview(opened[1]), requested=False)
                return

    def _listen(self, fetch: Fetch, before: tuple[str, ...]) -> None:
        """Subscribe to the broadcasts of the blobs to fetch, before requesting them: the server broadcasts a block that many
        devices request at the same time."""
        fresh = [blob for blob in fetch.listening if blob not in before]
        over = [blob for blob in before if blob not in fetch.listening]
        if fresh:
            self._publisher.listen(fetch.channels(fresh))
        if over:
            self._publisher.unlisten(fetch.channels(over))

    def _forget_fetch(self, slot: str) -> None:
        fetch = self._fetches.pop(slot, None)
        if fetch is not None and fetch.listening:
            self._publisher.unlisten(fetch.channels(fetch.listening))

    def _progress(self, slot: str, fetch: Fetch) -> None:
        """Continue with the update if the package is complete."""
        if not fetch.done and fetch.fits:
            return
        target, running = fetch.target, self.slots[slot].running
        if not fetch.fits:
            self._forget_fetch(slot)
            self._set(slot, target, SlotPhase.REFUSED, running, Reason.INCOMPATIBLE, f"no variant for {self._nature.profile}")
            return
        end = self._over_budget(target) or fate(self._ground.model, self._nature, target.version, target.attempt)
        if end.phase is SlotPhase.REFUSED:
            self._forget_fetch(slot)
            self._set(slot, target, SlotPhase.REFUSED, running, end.reason, end.detail)
            return
        if target.hold:
            self._set(slot, target, SlotPhase.WAITING_WINDOW, running)
            return
        trial = Running(
            package=target.package, version=target.version, digest=target.digest, runtime=RUNTIMES[0], since_at=time.time()
        )
        self._set(slot, target, SlotPhase.TRIAL, trial)
        self._forget_fetch(slot)
        trial_s = self._trial_s * self._chance.uniform(1.0, 1.1)
        if end.sticks:
            self._ground.tally.updates["stuck"] += 1
        elif end.vanishes:
            self._publisher.after(f"trial {slot}", trial_s / 2, self._publisher.vanish)
        else:
            self._publisher.after(f"trial {slot}", trial_s, lambda: self._end_trial(slot, target, end))

    def _over_budget(self, target: SlotTarget) -> UpdateOutcome | None:
        """The refusal of a package whose budget of latency this device exceeds; None if there is none."""
        contents = self._ground.shelf.contents(target)
        budget_ms = contents.manifest.budgets.latency_ms if contents is not None and contents.manifest is not None else 0.0
        if not budget_ms or self._nature.latency_ms <= budget_ms:
            return None
        text = f"p95 {self._nature.latency_ms:.0f} ms, the budget is {budget_ms:g} ms"
        return UpdateOutcome(SlotPhase.REFUSED, Reason.OVER_LATENCY, text)

    def _end_trial(self, slot: str, target: SlotTarget, end: UpdateOutcome) -> None:
        running = self.slots[slot].running
        if end.phase is SlotPhase.ROLLED_BACK:
            self._quarantine[target.digest] = end
            if len(self._quarantine) > QUARANTINE_MAX:
                del self._quarantine[next(iter(self._quarantine))]
            running = self._before.get(slot)
        if end.phase is SlotPhase.COMMITTED:
            self.slower_since_s = time.monotonic() if end.slows else None
        self._set(slot, target, end.phase, running, end.reason, end.detail)
        waiting = self._waiting.pop(slot, None)
        if waiting is not None:
            self._take(slot, waiting)


def _same(known: SlotReport, target: SlotTarget) -> bool:
    return (known.target, known.attempt) == (target.digest, target.attempt)
