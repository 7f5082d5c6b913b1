"""Defaults of a rollout: what a request, a command, a file of the fleet or the form of the dashboard does not say.

The template `standard` is these values. An administrator may change some of them for a server (`Settings`). A soak has to be long
enough that devices are compared (`domain.rollout.forecast.COMPARED_S`), so the default is the cautious one.
"""

from __future__ import annotations

from typing import Final, Literal

Test = Literal["threshold", "sequential", "both"]

TEMPLATE: Final = "standard"
WAVES: Final = (("canary", 5.0), ("quarter", 25.0), ("rest", None))
"""Name and percentage of each wave; the last takes the rest."""
WAVES_TEXT: Final = ",".join("rest" if percent is None else f"{percent:g}%" for _, percent in WAVES)
EXPERIMENT_WAVES: Final = (("canary", 10.0), ("rest", None))
"""Of the rollouts of an experiment, whose arms need their devices soon."""
EXPERIMENT_WAVES_TEXT: Final = ",".join("rest" if percent is None else f"{percent:g}%" for _, percent in EXPERIMENT_WAVES)
WAVE_TIMEOUT_S: Final = 3600.0
PRIORITY: Final = 500

ERROR_PERCENT_MAX: Final = 5.0
REPORTED_MIN: Final = 3
OFFLINE_S: Final = 300.0
SOAK_S: Final = 600.0
TEST: Final[Test] = "both"
TOLERATED_PERCENT: Final = 1.0
"""At most, with the test `both`; with `sequential` the failure rate of the limit is tolerated."""
CONFIDENCE_PERCENT: Final = 99.0

LATENCY_PERCENT: Final = 50.0
DROPPED_POINTS: Final = 10.0
CONFIDENCE_POINTS: Final = 10.0
TEMPERATURE_C: Final = 10.0
DETECTIONS_FACTOR: Final = 5.0
CLASS_MIX_PERCENT: Final = 40.0
MEMORY_PERCENT: Final = 100.0
MEMORY_MB_PER_HOUR: Final = 200.0
SAMPLES_MIN: Final = 5

TRIAL_S: Final = 20.0
TRIAL_FRAMES_MIN: Final = 10
SHADOW_S: Final = 60.0
SHADOW_AGREEMENT_PERCENT_MIN: Final = 30.0

TRIES_MAX: Final = 3
BACK_OFF_S: Final = 60.0
BACK_OFF_FACTOR: Final = 4.0
RATE_FACTOR: Final = 1.0
RATE_GROW_AFTER: Final = 100
RATE_PER_MINUTE_MAX: Final = 1000
