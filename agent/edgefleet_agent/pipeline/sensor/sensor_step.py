"""The state of a sensor pipeline's graph: windows, features, scores or classes, levels, events. Pure, except for the model, which
the caller provides; readings have their own times.

An event of a rule of kind `anomaly` lasts while the score is above the threshold or the model finds one of the labels; one of
kind `level` while a value is beyond its limit. Gaps up to `gap_s` are closed, episodes shorter than `min_s` are dropped. An event
ends with its last moment if nothing is observed any more: what comes later is another one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timezone
from typing import Protocol

import numpy as np

from edgefleet_agent.pipeline.sensor.sensor_graph import SensorGraph, compile_sensing
from edgefleet_agent.signal.anomaly import Anomaly, AnomalyScore, Floats
from edgefleet_agent.signal.episodes import Episode, Episodes
from edgefleet_agent.signal.features import Features
from edgefleet_agent.signal.matrix_profile import MatrixProfile
from edgefleet_agent.signal.spectrogram import Picture
from edgefleet_agent.signal.window import EARLIER_MAX, GAP_PERIODS, ObservedTime, UsualInterval, Window, Windows
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import PipelineSpec, RuleSpec
from edgefleet_contract.wire.messages import Event, EventPhase

__all__ = ["SensorGraph", "SensorGraphState", "compile_sensing"]

COVERAGE_MIN = 0.5
"""Windows with a smaller share of real readings are not scored: they count as not observed."""
READING_GAP_S = 1.0
"""Longest interval between two readings that is no gap for a level rule."""


class Scorer(Protocol):
    """Scores a whole window (see `pipeline.model.series_model`). `feature` of its score: index of a channel."""

    points: int
    channels: int

    def judge(self, values: Floats) -> AnomalyScore: ...


Ask = Callable[[Picture], tuple[str, float]]
"""Maps a picture to the model's best label and its score."""


class SensorGraphState:
    """Windows, features, scores and rules of one series. judge: scores windows if the score stage names a model. ask: runs the
    model of a classify stage. texts: columns of the source that hold no numbers, which errors name.

    Raises:
        PipelineError: a channel does not exist, a stage needs more or fewer of them, or the model is for other windows.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        graph: SensorGraph,
        channels: list[str],
        prefix: str = "",
        judge: Scorer | None = None,
        ask: Ask | None = None,
        texts: Collection[str] = (),
    ) -> None:
        self._model = judge
        self._spec, self._graph, self._prefix, self._ask = spec, graph, prefix, ask
        self._channels, self._texts = channels, texts
        self._episodes = {rule.name: Episodes(rule.min_s, rule.gap_s) for rule in spec.rules}
        self._beyond = dict.fromkeys(self._episodes, False)
        self._origin_s: float | None = None
        self.windows_total = 0
        self.earlier_total = 0
        self._judged_s = 0.0
        self._read_s: float | None = None
        self._earlier = 0
        self._interval = UsualInterval()
        self._windows: Windows | None = None
        names: list[str] = []
        if graph.window is not None:
            names = self._set_up_windows(graph)
        known = [*channels, *names]
        strange = next((rule for rule in spec.rules if rule.kind == "level" and rule.channel not in known), None)
        if strange is not None:
            instead = self._instead(strange.channel, f"known are {', '.join(known)}")
            raise PipelineError(f"pipeline {spec.name!r}: rule {strange.name!r}: unknown channel {strange.channel!r}; {instead}")
        self._observed = self._observed_times()
        self._counted = [(0.0, 0.0)] * len(self._observed)

    def _set_up_windows(self, graph: SensorGraph) -> list[str]:
        """The names of the features."""
        window, where = graph.window, f"pipeline {self._spec.name!r}"
        assert window is not None
        missing = next((name for name in window.channels if name not in self._channels), None)
        if missing is not None:
            instead = self._instead(missing, f"it has {', '.join(self._channels)}")
            raise PipelineError(f"{where}: the sensor has no channel {missing!r}; {instead}")
        names = list(window.channels) or self._channels
        if graph.classify is not None and len(names) != 1:
            raise PipelineError(f"{where}: an image has one channel; set one of {', '.join(names)} in `channels`")
        self._columns = [self._channels.index(name) for name in names]
        self._windows = Windows(window.period_s, window.length_s, window.step_s)
        self._features = Features(list(window.features), names, window.period_s)
        score, judge = graph.score, self._model
        self._judged = names
        if judge is not None and (judge.points, judge.channels) != (self._windows.points, len(names)):
            raise PipelineError(
                f"{where}: the model expects {judge.points} points of {judge.channels} channels, a window has "
                f"{self._windows.points} of {len(names)}"
            )
        if score is not None and score.method == "components" and len(self._features.names) < 2:
            raise PipelineError(
                f"{where}: one feature cannot be reconstructed from others; choose more features or another method"
            )
        self._scorer: Anomaly | MatrixProfile | None = None
        if score is not None and score.course:
            self._scorer = MatrixProfile(score.baseline, score.course)
        elif score is not None and not score.model:
            self._scorer = Anomaly(score.method, score.baseline, score.threshold, sliding=score.sliding)
        return self._features.names

    def _instead(self, channel: str, known: str) -> str:
        return f"the column {channel!r} has no numbers; check the file" if channel in self._texts else known

    def _observed_times(self) -> list[tuple[list[int], ObservedTime]]:
        """Observed columns: those of the windows, of each level rule; without either, all."""
        window = self._graph.window
        observed = [(self._columns, ObservedTime(window.period_s))] if window is not None else []
        leveled = dict.fromkeys(rule.channel for rule in self._spec.rules if rule.kind == "level")
        observed += [([self._channels.index(name)], ObservedTime()) for name in leveled if name in self._channels]
        return observed or [(list(range(len(self._channels))), ObservedTime())]

    def coverage(self) -> float | None:
        """Share of the time since the last call that was observed: the smallest of windows and levels; None without readings."""
        before, self._counted = self._counted, [(each.observed_s, each.span_s) for _, each in self._observed]
        shares = [
            min(1.0, max(0.0, observed_s - earlier_s) / (span_s - earlier_span_s))
            for (observed_s, span_s), (earlier_s, earlier_span_s) in zip(self._counted, before, strict=True)
            if span_s > earlier_span_s
        ]
        return min(shares, default=None)

    @property
    def left_out(self) -> int:
        """Count of readings that repeat a time, go back in time, or are no numbers."""
        return self.earlier_total + (self._windows.left_out if self._windows is not None else 0)

    def take(self, at_s: float, values: tuple[float, ...]) -> list[Event]:
        """The events of one reading. at_s: seconds since 1970."""
        if self._read_s is not None and at_s < self._read_s and self._earlier < EARLIER_MAX:
            self._earlier += 1
            self.earlier_total += 1
            return []
        events: list[Event] = []
        if self._read_s is not None and at_s < self._read_s:  # the clock of the readings was set back
            events += self.finish()
            self._origin_s, self._interval = None, UsualInterval()
            if self._windows is not None:
                self._windows.restart()
        self._read_s, self._earlier = at_s, 0
        for columns, observed in self._observed:
            observed.add(at_s, present=all(np.isfinite(values[column]) for column in columns))
        if self._origin_s is None:
            self._origin_s = at_s
        self._interval.add(at_s)
        events += self.silent(0.0)
        events += self._levels(dict(zip(self._channels, values, strict=False)), at_s, at_s, READING_GAP_S)
        if self._windows is None:
            return events
        for window in self._windows.add(at_s, tuple(values[column] for column in self._columns)):
            self.windows_total += 1
            if window.coverage >= COVERAGE_MIN:
                events += self._judge(window)
        return events

    def silent(self, for_s: float) -> list[Event]:
        """End the events of what was not observed for a while: no reading since `for_s` seconds, readings without a number of the
        channel, windows with too few readings. They end with their last moment."""
        if self._read_s is None:
            return []
        at_s, stage = self._read_s + for_s, self._graph.window
        events = []
        for rule in self._spec.rules:
            reading = rule.kind == "level" and rule.channel in self._channels
            window_s = stage.length_s + 1.5 * stage.step_s if stage is not None else 0.0
            interval_s = self._interval.seconds or READING_GAP_S
            limit_s = max(READING_GAP_S, GAP_PERIODS * interval_s) if reading else window_s + GAP_PERIODS * interval_s
            episode = self._episodes[rule.name].silent(at_s, limit_s)
            if not self._episodes[rule.name].going:
                self._beyond[rule.name] = False
            if episode is not None:
                events.append(self._event(rule, episode, EventPhase.END))
        return events

    def finish(self) -> list[Event]:
        """End all open events."""
        events = []
        for rule in self._spec.rules:
            self._beyond[rule.name] = False
            episode = self._episodes[rule.name].end()
            if episode is not None:
                events.append(self._event(rule, episode, EventPhase.END))
        return events

    def _judge(self, window: Window) -> list[Event]:
        stage = self._graph.window
        assert stage is not None
        # The part that the previous window did not contain.
        began_s = max(window.start_s, window.end_s - stage.step_s)
        with np.errstate(over="ignore", invalid="ignore"):
            features = self._features(window.values)
        if not np.isfinite(features).all():  # the values are beyond what can be computed: not observed
            return []
        named = dict(zip(self._features.names, features.tolist(), strict=True))
        events = self._levels(named, began_s, window.end_s, stage.step_s * 1.5)
        verdict = self._verdict(window, features)
        for rule in self._spec.rules:
            if rule.kind != "anomaly":
                continue
            over = self._episodes[rule.name].quiet(window.end_s, stage.step_s * 1.5)
            if over is not None:
                events.append(self._event(rule, over, EventPhase.END))
            if verdict is not None:
                episode = self._episodes[rule.name].add(began_s, window.end_s, *verdict, window.coverage)
                if episode is not None:
                    events.append(self._event(rule, episode, EventPhase.NEW))
        return events

    def _verdict(self, window: Window, features: Floats) -> tuple[float, str] | None:
        """Score and feature or label of an anomalous window; None for a normal one."""
        graph = self._graph
        if graph.score is not None and self._model is not None:
            verdict = self._model.judge(window.values)
            unusual = verdict.score > graph.score.threshold
            return (verdict.score, self._judged[verdict.feature]) if unusual else None
        if graph.score is not None and graph.window is not None and self._scorer is not None:
            if isinstance(self._scorer, MatrixProfile) and window.end_s - self._judged_s > 1.5 * graph.window.step_s:
                self._scorer.interrupt()
            self._judged_s = window.end_s
            verdict = self._scorer.judge(features)
            unusual = verdict.ready and verdict.present and verdict.score > graph.score.threshold
            return (verdict.score, self._features.names[verdict.feature]) if unusual else None
        if graph.classify is not None and graph.window is not None and graph.window.picture and self._ask is not None:
            label, score = self._ask(graph.window.picture(window.values[:, 0]))
            unusual = label in graph.classify.labels and score >= graph.classify.min_score
            return (score, label) if unusual else None
        return None

    def _levels(self, values: dict[str, float], origin_s: float, at_s: float, slack_s: float) -> list[Event]:
        """Events of the level rules on `values`, which hold from `origin_s` to `at_s`."""
        events = []
        for rule in self._spec.rules:
            value = values.get(rule.channel) if rule.kind == "level" else None
            if value is None or not np.isfinite(value):
                continue
            sign, limit = (1.0, rule.above) if rule.above is not None else (-1.0, rule.below)
            assert limit is not None
            beyond = sign * (value - limit) > (-rule.hysteresis if self._beyond[rule.name] else 0.0)
            self._beyond[rule.name] = beyond
            episodes = self._episodes[rule.name]
            if beyond:
                episode = episodes.add(origin_s, at_s, sign * value, rule.channel)
                if episode is not None:
                    events.append(self._event(rule, episode, EventPhase.NEW))
            else:
                over = episodes.quiet(at_s, slack_s if rule.gap_s > 0 else 0.0)
                if over is not None:
                    events.append(self._event(rule, over, EventPhase.END))
        return events

    def _event(self, rule: RuleSpec, episode: Episode, phase: EventPhase) -> Event:
        assert self._origin_s is not None
        event = Event(
            kind=rule.kind,
            id=f"{self._prefix}{rule.name}-{episode.number}",
            phase=phase,
            pipeline=self._spec.name,
            rule=rule.name,
            start_s=round(episode.origin_s - self._origin_s, 4),
            coverage=round(episode.coverage / episode.moments, 4),
            data={"from": _iso(episode.origin_s)},
        )
        if rule.kind == "level":
            sign = 1.0 if rule.above is not None else -1.0
            event.label = rule.channel
            event.data |= {"limit": rule.above if rule.above is not None else rule.below, "extreme": sign * episode.worst}
        else:
            event.score = round(episode.worst, 3)
            score = self._graph.score
            event.label = "anomaly" if score is not None else episode.name
            event.data |= {"feature": episode.name, "threshold": score.threshold} if score is not None else {}
        if phase is EventPhase.END:
            event.end_s = round(episode.last_s - self._origin_s, 4)
            event.data["to"] = _iso(episode.last_s)
        return event


def _iso(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
