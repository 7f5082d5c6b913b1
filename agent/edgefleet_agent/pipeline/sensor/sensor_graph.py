"""Compiles and checks the stages of a sensor pipeline.

    window    windows of equal length. Options: `period_s` (of the grid, to which readings are interpolated linearly),
              `length_s`, `step_s` (half the length: windows overlap), `features` (`["mean", "std"]`, see
              `signal.features`), `channels` (all). With `fft` and `hop` a window of one channel is also a picture (see
              `edgefleet_agent.signal.spectrogram`)
    score     anomaly score of its features. Options: `method` (`robust_z`, `distance`, `components`, `ewma`), `baseline_s`,
              `threshold`, `sliding` (false: the baseline is the beginning; true: the last `baseline_s` that were not anomalous).
              Or `method` `discord` and `course_s`, the duration of one period of the series (a day, a cycle): compares the
              last period with all before it, `threshold` 1 is the baseline's worst; `baseline_s` is then 28 periods
              Or `method` `reconstruction` and `model`, the folder of a package that was trained on normal data: it computes
              the window itself, and the score is its error as a multiple of the package's threshold (`threshold` is then 1)
    classify  the class of its picture: `model`, `labels` (those that are an anomaly), `min_score`

Allowed are no stages, a window, or a window and a score or classify stage, in that order. Rules: `anomaly` (needs a score or
classify stage) and `level`, a channel of the sensor or a feature of its windows (`press.rms`) `above` or `below` a limit, which
ends once the value is `hysteresis` inside the limit.
"""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_agent.signal.anomaly import METHODS
from edgefleet_agent.signal.features import FEATURES, Features, band_of
from edgefleet_agent.signal.matrix_profile import HISTORY_MAX, MatrixProfile
from edgefleet_agent.signal.spectrogram import Spectrogram
from edgefleet_agent.signal.window import Windows
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.nodes import MODEL_KINDS
from edgefleet_contract.pipeline.sensor_options import check_sensing, sensing_options
from edgefleet_contract.pipeline.spec import PipelineSpec

BASELINE_MIN, BASELINE_MAX = 10, 10_000
"""Limits of the count of windows in a baseline."""
BASELINE_COURSES = 28
"""Courses of a series in the baseline of `discord`, if nothing else is set: of days four weeks, so that each day of the week is
there several times. A course that the baseline has once is unlike the rest of it, and would set its scale."""
RECONSTRUCTION = "reconstruction"
DISCORD = "discord"


@dataclass(frozen=True, slots=True)
class WindowStage:
    """Settings for cutting readings into windows."""

    period_s: float
    length_s: float
    step_s: float
    features: tuple[str, ...]
    channels: tuple[str, ...]
    picture: Spectrogram | None


@dataclass(frozen=True, slots=True)
class ScoreStage:
    """Settings for scoring windows. baseline, course: in windows. model: folder of a package for `reconstruction`, otherwise
    empty."""

    method: str
    baseline: int
    threshold: float
    sliding: bool
    model: str = ""
    course: int = 0


@dataclass(frozen=True, slots=True)
class ClassifyStage:
    """Settings for classifying windows with a model. labels: those that are an anomaly. at: the stage's position in the pipeline
    file."""

    name: str
    model: str
    labels: frozenset[str]
    min_score: float
    at: str


@dataclass(frozen=True, slots=True)
class SensorGraph:
    """The stages of a sensor pipeline, in this order."""

    window: WindowStage | None = None
    score: ScoreStage | None = None
    classify: ClassifyStage | None = None

    @property
    def period_s(self) -> float:
        """Period of the readings; 1 s without a window stage."""
        return self.window.period_s if self.window is not None else 1.0


def compile_sensing(spec: PipelineSpec) -> SensorGraph:
    """The stages of `spec`.

    Raises:
        PipelineError: a stage, rule or option is not valid for a sensor; the text names the valid ones.
    """
    check_sensing(spec)
    kinds = tuple(stage.kind for stage in spec.stages)
    window = _window(spec) if kinds else None
    score = _score(spec, window) if window is not None and kinds[1:] == ("score",) else None
    classify = _classify(spec, window) if window is not None and kinds[1:] == ("classify",) else None
    return SensorGraph(window, score, classify)


def _window(spec: PipelineSpec) -> WindowStage:
    chosen = sensing_options(spec, 0)
    step_s = chosen["step_s"] or chosen["length_s"] / 2
    picture = None
    try:
        windows = Windows(chosen["period_s"], chosen["length_s"], step_s)
        for name in chosen["features"]:
            if name not in FEATURES:
                band_of(name)
        Features(chosen["features"], ["any"], chosen["period_s"])
        if chosen["fft"]:
            picture = Spectrogram(chosen["fft"], chosen["hop"] or chosen["fft"] // 4)
            picture.columns(windows.points)
    except ValueError as cause:
        raise PipelineError(f"{spec.at('stages', 0, 'options')}: pipeline {spec.name!r}: {cause}") from cause
    features, channels = tuple(chosen["features"]), tuple(chosen["channels"])
    return WindowStage(chosen["period_s"], chosen["length_s"], step_s, features, channels, picture)


def _score(spec: PipelineSpec, window: WindowStage) -> ScoreStage:
    chosen = sensing_options(spec, 1)
    if chosen["method"] == DISCORD and "baseline_s" not in spec.stages[1].options:
        chosen["baseline_s"] = min(BASELINE_COURSES * chosen["course_s"], HISTORY_MAX // 2 * window.step_s)
    baseline = round(chosen["baseline_s"] / window.step_s)
    at = f"{spec.at('stages', 1, 'options')}: pipeline {spec.name!r}"
    if not BASELINE_MIN <= baseline <= BASELINE_MAX:
        raise PipelineError(
            f"{at}: baseline_s is {baseline} windows; must be {BASELINE_MIN} to {BASELINE_MAX} of {window.step_s:g} s"
        )
    method, model = chosen["method"], chosen["model"]
    if method not in (*METHODS, DISCORD, RECONSTRUCTION):
        raise PipelineError(f"{at}: unknown method {method!r}; known are {', '.join(METHODS)}, {DISCORD}, {RECONSTRUCTION}")
    if (method == RECONSTRUCTION) != model.startswith("/"):
        raise PipelineError(
            f"{at}: method {RECONSTRUCTION!r} requires `model`, the absolute path of a package folder; other methods take none"
        )
    if method in (DISCORD, RECONSTRUCTION) and "threshold" not in spec.stages[1].options:
        chosen["threshold"] = 1.0
    if method != DISCORD:
        return ScoreStage(method, baseline, chosen["threshold"], chosen["sliding"], model)
    course = round(chosen["course_s"] / window.step_s)
    if chosen["sliding"]:
        raise PipelineError(f"{at}: method {DISCORD!r} keeps its whole history; remove `sliding`")
    try:
        MatrixProfile(baseline, course)
    except ValueError as cause:
        raise PipelineError(f"{at}: {cause}; a window comes every {window.step_s:g} s") from cause
    return ScoreStage(method, baseline, chosen["threshold"], sliding=False, course=course)


def _classify(spec: PipelineSpec, window: WindowStage) -> ClassifyStage:
    stage, at = spec.stages[1], spec.at("stages", 1)
    if window.picture is None:
        raise PipelineError(
            f"{spec.at('stages', 0)}: stage {spec.stages[0].name!r}: a model requires an image; set the option `fft`"
        )
    if not stage.model.startswith(MODEL_KINDS):
        raise PipelineError(f"{at}: stage {stage.name!r}: model {stage.model!r} must be 'slot:NAME' or 'package:DIR'")
    if not stage.labels:
        raise PipelineError(f"{at}: stage {stage.name!r}: list the `labels` that are an anomaly")
    return ClassifyStage(stage.name, stage.model, frozenset(stage.labels), stage.min_score, at)
