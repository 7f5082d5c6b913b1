"""Devices are judged by their change less that of devices that were not updated."""

from __future__ import annotations

import pytest

from edgefleet_server.domain.statistics.levels import levels
from edgefleet_server.domain.statistics.regression_check import (
    Change,
    ComparedDevices,
    Level,
    Levels,
    RegressionLimits,
    compare,
)
from edgefleet_server.domain.statistics.summaries import Figures, Summary

BEFORE = {"latency_p95_ms": Level(20, 12.0), "dropped_percent": Level(20, 1.0), "confidence": Level(90, 80.0)}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({"latency_p95_ms": Level(20, 17.0)}, ""),
        ({"latency_p95_ms": Level(20, 25.0)}, "latency 25 ms, before 12 ms"),
        ({"latency_p95_ms": Level(3, 90.0)}, ""),  # too few samples
        ({"dropped_percent": Level(20, 30.0)}, "30 % of frames dropped, before 1 %"),
        ({"confidence": Level(90, 60.0)}, "mean confidence 60 %, before 80 %"),
        ({"confidence": Level(90, 95.0)}, ""),
        ({"temperature_c": Level(20, 90.0)}, ""),  # nothing to compare with
    ],
)
def test_without_others_a_device_is_compared_with_its_own_past(after: dict[str, Level], expected: str) -> None:
    """By more than the limits, and with enough samples on both sides."""
    assert compare(RegressionLimits(), Change(BEFORE, after), ()).worse == expected


def test_a_candidate_that_agrees_too_little_has_failed() -> None:
    """Without any figure of before: there was none."""
    limits = RegressionLimits(agreement_percent_min=80.0)
    assert (
        compare(limits, Change({}, {"shadow_agreement": Level(9, 62.0)}), ()).worse
        == "agreement 62 % with the running version, minimum 80 %"
    )
    assert compare(limits, Change({}, {"shadow_agreement": Level(4, 62.0)}), ()).worse == ""
    assert compare(limits, Change({}, {"shadow_agreement": Level(9, 81.0)}), ()).worse == ""
    assert compare(RegressionLimits(), Change({}, {"shadow_agreement": Level(9, 1.0)}), ()).worse == ""


def of(**values: float) -> Levels:
    """Levels of twenty samples."""
    return {name: Level(20, value) for name, value in values.items()}


USUAL = {"latency_p95_ms": 20.0, "detections_per_frame": 2.0, "confidence": 80.0, "memory_bytes": 400e6, "temperature_c": 50.0}


def group(factor: float = 1.0, size: int = 8) -> list[Change]:
    """Devices whose latency changed by a factor, each a little differently."""
    return [
        Change(of(**USUAL), of(**{**USUAL, "latency_p95_ms": 20.0 * factor * (1.0 + 0.02 * number)})) for number in range(size)
    ]


def after(**values: float) -> Change:
    """A device with these figures after its update."""
    return Change(of(**USUAL), of(**{**USUAL, **values}))


def test_a_busy_host_does_not_fail_a_good_version() -> None:
    """All devices became three times slower; compared with its own past, the same device would have failed."""
    slow = after(latency_p95_ms=60.0)
    assert compare(RegressionLimits(), slow, group(3.0)).worse == ""
    assert compare(RegressionLimits(), slow, group(3.0)).controls == 8
    alone = compare(RegressionLimits(), slow, group(3.0)[:2])
    assert alone.text == "latency 60 ms, before 20 ms (compared with its own past: only 2 devices to compare with)"


@pytest.mark.parametrize("size", [0, 8])
@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (after(latency_p95_ms=80.0), "latency 80 ms"),
        (after(detections_per_frame=76.0), "76 detections a frame"),
        (after(confidence=60.0), "mean confidence 60 %"),
        (after(memory_bytes=2000e6), "memory 2,000 MB"),
    ],
)
def test_bad_versions_are_found(bad: Change, text: str, size: int) -> None:
    """Four times slower, ruined boxes, unsure, leaking: with a control group and with the own past."""
    others = group(size=size)
    found = compare(RegressionLimits(), bad, others)
    assert text in found.worse
    assert found.controls == size


@pytest.mark.parametrize(
    ("changed", "detections"),
    [
        (6.0, 12.0),  # a busy hour on all cameras
        (0.02, 0.0),  # closing time on all cameras
    ],
)
def test_a_change_of_the_scene_is_no_regression(changed: float, detections: float) -> None:
    others = [Change(of(**USUAL), of(**{**USUAL, "detections_per_frame": 2.0 * changed})) for _ in range(6)]
    assert compare(RegressionLimits(), after(detections_per_frame=detections), others).worse == ""


def test_boxes_that_are_lost_need_a_control_group() -> None:
    """Its own past does not say whether people left."""
    blind = after(detections_per_frame=0.0)
    assert "0 detections a frame, expected 2" in compare(RegressionLimits(), blind, group()).worse
    assert compare(RegressionLimits(), blind, ()).worse == ""


def test_figures_that_vary_among_the_others_are_judged_by_their_spread() -> None:
    """Cameras on which now and then a crowd passes."""
    seen = (0.2, 0.1, 0.5, 12.0, 9.0, 0.3, 2.0, 4.0, 1.0)
    others = [Change(of(detections_per_frame=1.0), of(detections_per_frame=value)) for value in seen]
    crowd = Change(of(detections_per_frame=1.0), of(detections_per_frame=9.0))
    ruined = Change(of(detections_per_frame=1.0), of(detections_per_frame=300.0))
    assert compare(RegressionLimits(), crowd, others).worse == ""
    assert compare(RegressionLimits(), ruined, others).worse


def test_one_odd_device_does_not_move_a_group() -> None:
    """The median, not the mean."""
    others = [*group(), Change(of(latency_p95_ms=20.0), of(latency_p95_ms=5000.0))]
    assert "latency 80 ms" in compare(RegressionLimits(), after(latency_p95_ms=80.0), others).worse


def test_without_figures_nothing_was_compared() -> None:
    """It is not good by that."""
    assert compare(RegressionLimits(), Change({}, of(latency_p95_ms=20.0)), group()).controls is None
    assert (
        compare(RegressionLimits(), Change(of(latency_p95_ms=20.0), {"latency_p95_ms": Level(2, 20.0)}), group()).controls is None
    )


def _memory(*megabytes: float) -> Levels:
    def figures(value: float) -> Figures:
        return {"memory_bytes": Summary(12, 12 * value * 1e6, value * 1e6, value * 1e6, {})}

    return levels([(60 * minute, figures(value)) for minute, value in enumerate(megabytes)])


def test_memory_that_grows_is_found() -> None:
    """By 30 MB a minute; not a step, such as a model that is loaded, and not what the other devices do as well."""
    before = _memory(*(400.0 for _ in range(15)))
    leak = Change(before, _memory(*(400.0 + 30.0 * minute for minute in range(8))))
    step = Change(before, _memory(*(400.0 if minute < 2 else 600.0 for minute in range(8))))
    found = compare(RegressionLimits(), leak, ())
    assert found.worse == "memory grows by 1,800 MB an hour, before 0 MB"
    assert compare(RegressionLimits(), step, ()).worse == ""
    assert compare(RegressionLimits(), leak, [leak] * 5).worse == ""


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        (ComparedDevices(), ""),
        (ComparedDevices(4), "none of 4 updated devices has been compared: no figures of before and after its update"),
        (ComparedDevices(4, 3, 0, 8), "3 of 4 updated devices compared with devices that were not updated"),
        (
            ComparedDevices(4, 4, 2, 1),
            "4 of 4 updated devices compared, 2 of them with their own past: only 1 device to compare with",
        ),
    ],
)
def test_number_of_compared_devices_as_text(seen: ComparedDevices, text: str) -> None:
    assert seen.text(RegressionLimits()) == text


def test_nothing_is_compared_as_text() -> None:
    assert ComparedDevices(4).text(None) == "regressions are not checked"
