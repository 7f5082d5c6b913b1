"""A sensor pipeline's stages, checked, and what happens to a reading: windows, features, scores, events.

    window   even windows and their figures. Options: `period_s` (of the grid), `length_s`, `step_s` (half the length),
             `features` (`["mean", "std"]`, see `agent.signal.features`), `channels` (all). The first stage, one
    score    how unusual they are. Options: `method` (`robust_z`, `distance`, `ewma`), `baseline_s`, `threshold`, `sliding`
             (false: the baseline is the beginning; true: the last `baseline_s` that were not anomalous). One, after the window.
             Or `method` `reconstruction` and `model`, the folder of a package that was trained on what is usual: it looks at the
             window itself, and the score is its error as a multiple of the package's threshold (`threshold` is then 1)

A rule of kind `anomaly` tells how long the score stayed above the threshold: gaps up to `gap_s` are closed, stays under `min_s`
dropped. Pure: readings come with their own time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Protocol

from agent.contract.messages import Event, EventPhase
from agent.contract.pipeline import PipelineSpec, RuleSpec, StageSpec, check_pipeline
from agent.errors import PipelineError
from agent.signal.anomaly import METHODS, Anomaly, Floats, Verdict
from agent.signal.features import PLAIN, Features, band_of
from agent.signal.window import Window, Windows

COVERAGE_MIN = 0.5
"""Windows of which less is real are not judged: that is not looking, rather than nothing there."""
BASELINE_MIN, BASELINE_MAX = 10, 10_000
"""Windows a baseline is made of."""

_WINDOW: dict[str, Any] = {"period_s": 1.0, "length_s": 60.0, "step_s": 0.0, "features": ["mean", "std"], "channels": []}
_SCORE: dict[str, Any] = {"method": "robust_z", "baseline_s": 3600.0, "threshold": 6.0, "sliding": False, "model": ""}
RECONSTRUCTION = "reconstruction"


@dataclass(frozen=True, slots=True)
class SensorGraph:
    """What is done with every reading, in this order. baseline: windows. model: folder of a package, where one judges."""

    period_s: float
    length_s: float
    step_s: float
    features: tuple[str, ...]
    channels: tuple[str, ...]
    method: str
    baseline: int
    threshold: float
    sliding: bool
    model: str = ""


def compile_sensing(spec: PipelineSpec) -> SensorGraph:
    """The stages of `spec`.

    Raises:
        PipelineError: stages or rules that are none for a sensor, or an option that cannot be; the text says what could.
    """
    check_pipeline(spec)
    if [stage.kind for stage in spec.stages] != ["window", "score"]:
        raise PipelineError(f"pipeline {spec.name!r}: a sensor's stages are one of kind 'window', then one of kind 'score'")
    other = next((rule for rule in spec.rules if rule.kind != "anomaly"), None)
    if other is not None:
        raise PipelineError(f"rule {other.name!r}: kind {other.kind!r} is for cameras; a sensor's rules are of kind 'anomaly'")
    window, score = (_options(stage, known) for stage, known in zip(spec.stages, (_WINDOW, _SCORE), strict=True))
    step_s = window["step_s"] or window["length_s"] / 2
    baseline = round(score["baseline_s"] / step_s)
    place = f"pipeline {spec.name!r}"
    if not BASELINE_MIN <= baseline <= BASELINE_MAX:
        raise PipelineError(f"{place}: baseline_s is {baseline} windows; take {BASELINE_MIN} to {BASELINE_MAX} of {step_s:g} s")
    if score["method"] not in (*METHODS, RECONSTRUCTION):
        raise PipelineError(f"{place}: unknown method {score['method']!r}; known are {', '.join(METHODS)}, {RECONSTRUCTION}")
    if (score["method"] == RECONSTRUCTION) != score["model"].startswith("/"):
        raise PipelineError(
            f"{place}: method {RECONSTRUCTION!r} needs `model`, the whole path of a package's folder; others none"
        )
    if score["model"] and "threshold" not in spec.stages[1].options:
        score["threshold"] = 1.0
    try:
        Windows(window["period_s"], window["length_s"], step_s)
        for name in window["features"]:
            if name not in PLAIN:
                band_of(name)
        Features(window["features"], ["any"], window["period_s"])
    except ValueError as cause:
        raise PipelineError(f"{place}: {cause}") from cause
    return SensorGraph(
        window["period_s"],
        window["length_s"],
        step_s,
        tuple(window["features"]),
        tuple(window["channels"]),
        score["method"],
        baseline,
        score["threshold"],
        score["sliding"],
        score["model"],
    )


def _options(stage: StageSpec, known: Mapping[str, Any]) -> dict[str, Any]:
    chosen = dict(known)
    for name, given in stage.options.items():
        where = f"stage {stage.name!r}: option {name!r}"
        if name not in known:
            raise PipelineError(f"{where} is unknown; known are {', '.join(sorted(known))}")
        default = known[name]
        value = float(given) if isinstance(default, float) and type(given) is int else given
        if type(value) is not type(default) or (isinstance(value, list) and not all(isinstance(one, str) for one in value)):
            raise PipelineError(f"{where} is {given!r}; give a value like {default!r}")
        if isinstance(value, float) and not 0.0 < value < 1e9:
            raise PipelineError(f"{where} is {given!r}; give a number above 0")
        chosen[name] = value
    return chosen


@dataclass(slots=True)
class _Episode:
    """Windows above the threshold. origin_s, last_s: from the first to the last of them."""

    number: int
    origin_s: float
    last_s: float
    best: float
    feature: str
    coverage: float
    windows: int = 1
    told: bool = False


class Judge(Protocol):
    """Whoever looks at a whole window (see `agent.pipeline.series_model`). feature of its verdict: number of a channel."""

    points: int
    channels: int

    def judge(self, values: Floats) -> Verdict: ...


class Sensing:
    """Windows, features, scores and rules of one series. judge: looks at the windows where the graph names a model.

    Raises:
        PipelineError: a channel that the sensor does not have, or a model for other windows.
    """

    def __init__(
        self, spec: PipelineSpec, graph: SensorGraph, channels: list[str], prefix: str = "", judge: Judge | None = None
    ) -> None:
        missing = next((name for name in graph.channels if name not in channels), None)
        if missing is not None:
            raise PipelineError(f"pipeline {spec.name!r}: the sensor has no channel {missing!r}; it has {', '.join(channels)}")
        names = list(graph.channels) or channels
        self._spec, self._graph, self._prefix = spec, graph, prefix
        self._columns = [channels.index(name) for name in names]
        self._windows = Windows(graph.period_s, graph.length_s, graph.step_s)
        self._features = Features(list(graph.features), names, graph.period_s)
        self._anomaly = Anomaly(graph.method, graph.baseline, graph.threshold, sliding=graph.sliding)
        self._channels, self._model = names, judge
        points = round(graph.length_s / graph.period_s)
        if judge is not None and (judge.points, judge.channels) != (points, len(names)):
            raise PipelineError(
                f"pipeline {spec.name!r}: the model looks at {judge.points} points of {judge.channels} channels, a window has "
                f"{points} of {len(names)}"
            )
        self._episodes: dict[str, _Episode] = {}
        self._numbered = 0
        self._origin_s: float | None = None
        self.windows_total = 0

    @property
    def left_out(self) -> int:
        """Readings that repeat a time, go back in it, or are no numbers."""
        return self._windows.left_out

    def take(self, at_s: float, values: tuple[float, ...]) -> list[Event]:
        """The events of one reading. at_s: seconds since 1970."""
        if self._origin_s is None:
            self._origin_s = at_s
        events: list[Event] = []
        for window in self._windows.add(at_s, tuple(values[column] for column in self._columns)):
            self.windows_total += 1
            if window.coverage >= COVERAGE_MIN:
                events += self._judge(window)
        return events

    def finish(self) -> list[Event]:
        """The series has ended: what goes on, ends."""
        events = [event for rule in self._spec.rules for event in self._end(rule)]
        self._episodes.clear()
        return events

    def _judge(self, window: Window) -> list[Event]:
        if self._model is not None:
            verdict = self._model.judge(window.values)
            feature = self._channels[verdict.feature]
        else:
            verdict = self._anomaly.judge(self._features(window.values))
            feature = self._features.names[verdict.feature]
        unusual = verdict.ready and verdict.score > self._graph.threshold
        events: list[Event] = []
        for rule in self._spec.rules:
            episode = self._episodes.get(rule.name)
            if episode is not None and window.end_s - episode.last_s > max(rule.gap_s, self._graph.step_s * 1.5):
                events += self._end(rule)
                episode = None
            if not unusual:
                continue
            if episode is None:
                self._numbered += 1
                # What this window has that the one before did not have.
                began_s = max(window.start_s, window.end_s - self._graph.step_s)
                episode = _Episode(self._numbered, began_s, window.end_s, verdict.score, feature, window.coverage)
                self._episodes[rule.name] = episode
            else:
                episode.last_s, episode.windows = window.end_s, episode.windows + 1
                episode.coverage += window.coverage
                if verdict.score > episode.best:
                    episode.best, episode.feature = verdict.score, feature
            if not episode.told and episode.last_s - episode.origin_s >= rule.min_s:
                episode.told = True
                events.append(self._event(rule, episode, EventPhase.NEW))
        return events

    def _end(self, rule: RuleSpec) -> list[Event]:
        episode = self._episodes.pop(rule.name, None)
        return [self._event(rule, episode, EventPhase.END)] if episode is not None and episode.told else []

    def _event(self, rule: RuleSpec, episode: _Episode, phase: EventPhase) -> Event:
        assert self._origin_s is not None
        data: dict[str, Any] = {"feature": episode.feature, "threshold": self._graph.threshold, "from": _iso(episode.origin_s)}
        event = Event(
            kind="anomaly",
            id=f"{self._prefix}{rule.name}-{episode.number}",
            phase=phase,
            pipeline=self._spec.name,
            rule=rule.name,
            label="anomaly",
            start_s=round(episode.origin_s - self._origin_s, 4),
            score=round(episode.best, 3),
            coverage=round(episode.coverage / episode.windows, 4),
            data=data,
        )
        if phase is EventPhase.END:
            event.end_s = round(episode.last_s - self._origin_s, 4)
            data["to"] = _iso(episode.last_s)
        return event


def _iso(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
