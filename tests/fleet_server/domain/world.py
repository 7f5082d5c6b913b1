"""A fleet as pure values: devices that answer offers as they please, time that passes, an engine that decides.

It plays the part of the database: what `decide` returns is carried out, and facts are made from the devices' states.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_server.domain.outcomes import REPORTED, Outcome
from edgefleet_server.domain.rollout.decisions import Decision, Offer, Withdraw, apply
from edgefleet_server.domain.rollout.decisions import StageUpdate as Prestage
from edgefleet_server.domain.rollout.engine import decide
from edgefleet_server.domain.rollout.facts import Attempt, DeviceFact, Rollout, SlotFact, Wave
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.states import WAVE_OVER, RolloutState, WaveState
from edgefleet_server.domain.terms import DEFAULT, RAMP_S, Terms

NEW, OLD = "n" * 64, "o" * 64


@dataclass
class Box:
    """One device. `fate` is how its update ends; `pace` how many turns each phase takes."""

    name: str
    fate: SlotPhase = SlotPhase.COMMITTED
    offline_since_at: float | None = None
    attempt: str = ""
    phase: SlotPhase = SlotPhase.COMMITTED
    running: str = OLD
    answered: bool = True
    known_attempt: str = ""
    hold: bool = False
    why: str = "none"
    excluded_until: float = 0.0
    window_opens_at: float = 0.0
    pinned: str = ""
    heavier: int = 0
    regressed: str = ""

    def fact(self) -> DeviceFact:
        slot = SlotFact(self.phase, running_digest=self.running, attempt=self.known_attempt, reason=self.why)
        return DeviceFact(
            self.offline_since_at,
            slot,
            answered=self.answered,
            higher_priority_rollout=self.heavier,
            window_opens_at=self.window_opens_at,
            excluded_until=self.excluded_until,
            pinned=self.pinned,
            regressed=self.regressed,
        )

    def turn(self) -> None:
        """One step on the way to its fate; nothing while it is away or has nothing to do."""
        path = [SlotPhase.FETCHING, SlotPhase.VERIFIED, SlotPhase.STAGED, SlotPhase.TRIAL, self.fate]
        if self.offline_since_at is not None:
            return
        if not self.attempt:
            if not self.answered:  # withdrawn: back to what ran before
                self.answered, self.running, self.phase = True, OLD, SlotPhase.COMMITTED
                self.known_attempt = f"{self.known_attempt}:back"
            return
        if not self.answered:
            self.answered, self.phase, self.known_attempt = True, path[0], self.attempt
            return
        if self.phase is self.fate or (self.hold and self.phase is SlotPhase.STAGED):
            return
        self.phase = path[min(len(path) - 1, path.index(self.phase) + 1)] if self.phase in path else path[0]
        if self.phase is SlotPhase.COMMITTED:
            self.running = NEW


class World:
    """A rollout over boxes."""

    def __init__(self, waves: list[list[Box]], gate: RolloutGate, wave_timeout_s: float = 100.0, terms: Terms = DEFAULT) -> None:
        self.boxes = {box.name: box for wave in waves for box in wave}
        attempts = {
            f"1:{box.name}:1": Attempt(f"1:{box.name}:1", box.name, index, has_previous=True)
            for index, wave in enumerate(waves)
            for box in wave
        }
        self.totals = [len(wave) for wave in waves]
        self.now = 1000.0
        self.offered: list[tuple[int, str]] = []
        self.offered_at: list[float] = []
        self.rollout = Rollout(
            id=1,
            digest=NEW,
            state=RolloutState.RUNNING,
            gate=gate,
            waves=tuple(Wave(index, f"wave {index}", total=len(wave)) for index, wave in enumerate(waves)),
            attempts=attempts,
            wave_timeout_s=wave_timeout_s,
            changed_at=self.now,
            terms=terms,
        )

    def facts(self) -> dict[str, DeviceFact]:
        return {name: box.fact() for name, box in self.boxes.items()}

    def decide(self) -> list[Decision]:
        """Run the engine. Like in the database, the rate limit also counts tries that a later one has replaced."""
        begin = self.now - RAMP_S
        lately = sum(at > begin for at in self.offered_at)
        loaded = sum(attempt.offered_at > begin for attempt in self.rollout.attempts.values())
        self.rollout = replace(self.rollout, offered_lately=max(0, lately - loaded))
        return decide(self.rollout, self.facts(), self.now)

    def engine_turn(self) -> list[Decision]:
        """Decide and carry out, checking on the way that no wave is offered before the one in front of it has passed."""
        decisions = self.decide()
        for decision in decisions:
            if isinstance(decision, Offer | Prestage):
                self._offer(decision)
            elif isinstance(decision, Withdraw):
                box = self.boxes[self.rollout.attempts[decision.attempt].device]
                box.attempt, box.answered = "", False
            self.rollout = apply(self.rollout, [decision], self.now)
        return decisions

    def _offer(self, offer: Offer | Prestage) -> None:
        attempt = self.rollout.attempts[offer.attempt]
        assert self.rollout.state in (RolloutState.RUNNING, RolloutState.COMPLETED)
        assert self.boxes[attempt.device].offline_since_at is None
        if isinstance(offer, Prestage):
            box = self.boxes[attempt.device]
            box.attempt, box.answered, box.hold = attempt.id, False, True
            return
        for wave in self.rollout.waves[: attempt.wave]:
            assert wave.state in WAVE_OVER, f"offer in wave {attempt.wave} while wave {wave.index} is {wave.state}"
        assert self.rollout.waves[attempt.wave].state is not WaveState.SKIPPED
        self.offered.append((attempt.wave, attempt.device))
        self.offered_at.append(self.now)
        box = self.boxes[attempt.device]
        if not box.hold:
            box.answered = False
        box.attempt, box.hold = attempt.id, False

    def steer(self, state: RolloutState) -> None:
        self.rollout = replace(self.rollout, state=state, changed_at=self.now)

    def resume(self) -> None:
        """Resume the rollout as `db.rollouts` does: exclude the failures so far from the gates, and continue a failed wave."""
        waves = []
        for wave in self.rollout.waves:
            counts = self.rollout.counts(wave)
            again = replace(
                wave,
                excused_reported=sum(number for ended, number in counts.items() if ended in REPORTED),
                excused_failed=counts[Outcome.FAILED],
            )
            failed = wave.state is WaveState.FAILED
            waves.append(replace(again, state=WaveState.RUNNING, started_at=self.now) if failed else again)
        self.rollout = replace(self.rollout, waves=tuple(waves))
        self.steer(RolloutState.RUNNING)

    def skip(self, index: int) -> None:
        """Set the state of a skipped wave, like an operator's skip; the engine does the rest."""
        waves = [replace(wave, state=WaveState.SKIPPED) if wave.index == index else wave for wave in self.rollout.waves]
        self.rollout = replace(self.rollout, waves=tuple(waves))

    def turn(self, seconds: float = 1.0) -> list[Decision]:
        """Time passes, devices act, the engine decides."""
        self.now += seconds
        for box in self.boxes.values():
            box.turn()
        return self.engine_turn()

    def run(self, turns: int = 60) -> None:
        for _ in range(turns):
            self.turn()
