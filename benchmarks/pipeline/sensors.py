"""Compares the methods for sensors on labelled recordings: faults found, false alarms and delays.

    python -m benchmarks.pipeline.sensors [--json] [--nab FOLDER]

Series of the test data (EDGEFLEET_TEST_DATA, default ../shared): a pump's test bench (SKAB) and a machine's temperature (NAB).
`--nab`: a folder with further series of NAB's `realKnownCause`, such as `ambient_temperature_system_failure.csv`. Each kind of
series has one pipeline, and each method one threshold for all series of that kind: they were set with the series in `DEVELOPED`,
the others were not used for it. A fault is found if an episode meets its labelled window; any other episode is a false
alarm. Delay: from the beginning of the label (SKAB) or of the labelled window (NAB, which begins before the fault) to the
beginning of the first episode. Late: from the end of the fault to that of the last episode that meets it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.pipeline.sensor.sensor_graph import compile_sensing
from edgefleet_agent.pipeline.sensor.sensor_step import SensorGraphState
from edgefleet_agent.sources.sensors.csv import CsvSensor
from edgefleet_contract.pipeline.spec import RuleSpec, SourceSpec, StageSpec, read_pipeline
from edgefleet_contract.wire.messages import EventPhase

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared") / "media/sensors"
DAY_S = 86400.0
DEVELOPED = ("skab/valve1_0.csv", "nab/machine_temperature_system_failure.csv")
HELD_OUT = ("skab/valve1_1.csv", "skab/valve1_6.csv", "skab/other_9.csv", "skab/anomaly-free.csv")
Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SeriesKind:
    """The pipeline for series of one kind. methods: options of the score stage by the name that is shown."""

    window: dict[str, Any]
    methods: dict[str, dict[str, Any]]
    min_s: float
    gap_s: float


def _methods(baseline_s: float, distance: float, others: float, *, single: bool = False) -> dict[str, dict[str, Any]]:
    """Every method that needs no model. single: of one feature, which cannot be reconstructed from others."""
    found: dict[str, dict[str, Any]] = {}
    for name in ("robust_z", "ewma", "distance", "components"):
        if name == "components" and single:
            continue
        threshold = {"ewma": 1.5 * others, "distance": distance}.get(name, others)
        for sliding in (False, True):
            shown = f"{name}, sliding" if sliding else name
            found[shown] = {"method": name, "baseline_s": baseline_s, "threshold": threshold, "sliding": sliding}
    return found


PUMP = SeriesKind(
    {
        "period_s": 1, "length_s": 30, "step_s": 5, "features": ["mean"],
        "channels": ["Accelerometer1RMS", "Accelerometer2RMS", "Volume Flow RateRMS"],
    },
    {**_methods(360, 6.0, 8.0), "discord": {"method": "discord", "course_s": 60, "baseline_s": 360}},
    20, 60,
)  # fmt: skip
MACHINE = SeriesKind(
    {"period_s": 300, "length_s": 3600, "step_s": 3600, "features": ["mean"]},
    {**_methods(5 * DAY_S, 4.0, 4.0, single=True), "discord": {"method": "discord", "course_s": DAY_S, "baseline_s": 5 * DAY_S}},
    0, DAY_S / 2,
)  # fmt: skip
HALL = SeriesKind(
    {"period_s": 3600, "length_s": 7200, "step_s": 3600, "features": ["mean"]},
    {**_methods(28 * DAY_S, 4.0, 4.0, single=True), "discord": {"method": "discord", "course_s": DAY_S}},
    0, DAY_S,
)  # fmt: skip


@dataclass(slots=True)
class Result:
    """One method on one series. delays_s, late_s: of the faults that were found."""

    series: str
    method: str
    held_out: bool
    faults: int
    found: int = 0
    false_alarms: int = 0
    days: float = 0.0
    delays_s: list[float] = field(default_factory=list)
    late_s: list[float] = field(default_factory=list)


def run_method(path: Path, kind: SeriesKind, options: dict[str, Any]) -> tuple[list[Span], Span]:
    """The episodes of one method, and the span of the series."""
    stages = [StageSpec(name="w", kind="window", options=kind.window), StageSpec(name="s", kind="score", options=options)]
    spec = read_pipeline('name = "p"\n[source]\nkind = "csv"\n', "p")
    rules = [RuleSpec(name="r", kind="anomaly", min_s=kind.min_s, gap_s=kind.gap_s)]
    spec = msgspec.structs.replace(spec, stages=stages, rules=rules)
    sensor = CsvSensor(SourceSpec(kind="csv", uri=str(path), pace="fast"))
    sensor.open()
    state = SensorGraphState(spec, compile_sensing(spec), sensor.channels)
    events, times = [], []
    for reading in sensor.readings():
        times.append(reading.at_s)
        events += state.take(reading.at_s, reading.values)
    sensor.close()
    events += state.finish()
    ended = [event for event in events if event.phase is EventPhase.END]
    return [(_seconds(event.data["from"]), _seconds(event.data["to"])) for event in ended], (times[0], times[-1])


def judge(result: Result, episodes: Sequence[Span], faults: Sequence[Span], span: Span) -> Result:
    """Compare the episodes with the labels."""
    result.days = (span[1] - span[0]) / DAY_S
    for begin, end in faults:
        meeting = [episode for episode in episodes if episode[0] <= end and episode[1] >= begin]
        if meeting:
            result.found += 1
            result.delays_s.append(round(meeting[0][0] - begin))
            result.late_s.append(round(meeting[-1][1] - end))
    result.false_alarms = sum(not any(first <= end and last >= begin for begin, end in faults) for first, last in episodes)
    return result


def _seconds(text: str) -> float:
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()


def _series(nab: Path | None) -> list[tuple[Path, str, SeriesKind, list[Span]]]:
    truth = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))["series"]
    found = []
    for name in (*DEVELOPED, *HELD_OUT):
        about = truth.get(name, {})
        labels = about.get("anomaly_windows") or about.get("anomaly_intervals") or []
        spans = [(_seconds(begin), _seconds(end)) for begin, end in labels]
        found.append((DATA / name, name, PUMP if name.startswith("skab") else MACHINE, spans))
    labelled = json.loads((DATA / "nab/combined_windows.json").read_text(encoding="utf-8"))
    for path in sorted(nab.glob("*.csv")) if nab is not None else ():
        spans = [(_seconds(begin), _seconds(end)) for begin, end in labelled.get(f"realKnownCause/{path.name}", [])]
        found.append((path, path.name, HALL, spans))
    return found


def measure(nab: Path | None) -> list[Result]:
    """Every method on every series of its kind."""
    results = []
    for path, name, kind, faults in _series(nab):
        for method, options in kind.methods.items():
            episodes, span = run_method(path, kind, options)
            results.append(judge(Result(name, method, name not in DEVELOPED, len(faults)), episodes, faults, span))
    return results


def _span(seconds: Sequence[float]) -> str:
    if not seconds:
        return "-"
    return " ".join(f"{value / 3600:.0f} h" if abs(value) >= 7200 else f"{value:.0f} s" for value in seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pipeline.sensors", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--nab", type=Path, metavar="DIR", help="folder with further series of NAB")
    given = parser.parse_args(arguments)
    results = measure(given.nab)
    if given.json:
        print(json.dumps([msgspec.to_builtins(result) for result in results]))
        return 0
    print("| series | method | found | missed | false alarms a day | delay | late |\n| --- | --- | --- | --- | --- | --- | --- |")
    for row in results:
        rate = f"{row.false_alarms / row.days:.3g} ({row.false_alarms})"
        name = f"{row.series}{' (held out)' if row.held_out else ''}"
        counts = f"{row.found} | {row.faults - row.found}"
        print(f"| {name} | {row.method} | {counts} | {rate} | {_span(row.delays_s)} | {_span(row.late_s)} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
