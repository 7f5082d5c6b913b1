"""Options of the stages and rules of sensor pipelines; described in the agent's `pipeline.sensor.sensor_graph`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import PipelineSpec, check_pipeline

KINDS = ((), ("window",), ("window", "score"), ("window", "classify"))

_WINDOW: Mapping[str, Any] = {
    "period_s": 1.0, "length_s": 60.0, "step_s": 0.0, "features": ["mean", "std"], "channels": [], "fft": 0, "hop": 0,
}  # fmt: skip
_SCORE: Mapping[str, Any] = {
    "method": "robust_z", "baseline_s": 3600.0, "threshold": 6.0, "sliding": False, "course_s": 86_400.0, "model": "",
}  # fmt: skip
OPTIONS: Mapping[str, Mapping[str, Any]] = {"window": _WINDOW, "score": _SCORE}
"""Each option of a kind of stage with its default."""


def check_sensing(spec: PipelineSpec) -> None:
    """Check kinds and order of stages, their options, and kinds of rules.

    Raises:
        PipelineError: not valid for a sensor; the text names the valid ones.
    """
    check_pipeline(spec)
    kinds = tuple(stage.kind for stage in spec.stages)
    if kinds not in KINDS:
        raise PipelineError(
            f"{spec.at('stages')}: a sensor's stages are one of kind 'window', then one of kind 'score' or 'classify'"
        )
    for index, rule in enumerate(spec.rules):
        at = spec.at("rules", index, "kind")
        if rule.kind not in ("anomaly", "level"):
            raise PipelineError(
                f"{at}: rule {rule.name!r}: kind {rule.kind!r} is for cameras; a sensor's are 'anomaly' and 'level'"
            )
        if rule.kind == "anomaly" and len(kinds) < 2:
            raise PipelineError(f"{at}: rule {rule.name!r} needs a stage of kind 'score' or 'classify'; add one")
        if rule.kind == "level" and (not rule.channel or (rule.above is None) == (rule.below is None)):
            raise PipelineError(f"{at}: rule {rule.name!r} needs a `channel` and one of `above` and `below`")
    for index, stage in enumerate(spec.stages):
        if stage.kind in OPTIONS:
            sensing_options(spec, index)


def sensing_options(spec: PipelineSpec, index: int) -> dict[str, Any]:
    """Every option of the stage at `index`, with its given or default value.

    Raises:
        PipelineError: an unknown option or an invalid value; the text names valid ones.
    """
    stage = spec.stages[index]
    known = OPTIONS.get(stage.kind, {})
    chosen = dict(known)
    for name, given in stage.options.items():
        where = f"{spec.at('stages', index, 'options', name)}: stage {stage.name!r}: option {name!r}"
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
