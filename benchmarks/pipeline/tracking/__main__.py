"""Our tracker beside ByteTrack and OC-SORT on rendered scenes (see `scenes`): IDF1, HOTA, switches of identity.

    python -m benchmarks.pipeline.tracking [--json] [--held-out] [--seeds N] [--only TEXT] [--files]

The peers are those of the package `trackers`, with the thresholds of ours; the measures are those of `trackeval`. The environment
of the project has neither: install them into one to throw away, beside the agent. The tracker was developed on the seeds from 0
on; `--held-out` takes others, not used in development. A difference is that of ours to the better peer in the same scene, with
its bootstrap interval over the seeds. `--files` takes the box files that `motmetrics` ships instead (see `box_files`).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import sys
import time
from typing import Any

from benchmarks.pipeline.tracking import box_files
from benchmarks.pipeline.tracking.peers import TRACKERS
from benchmarks.pipeline.tracking.scenes import SCENES, Moment, Scene, moments
from benchmarks.pipeline.tracking.scores import Score, interval, score

NEEDED = ("trackers", "supervision", "trackeval")
SEEDS = 8
HELD_OUT = 1000
"""First of the seeds that were not used in development."""


def measure(scene: Scene, seeds: range) -> dict[str, list[dict[str, Any]]]:
    """The scores of each tracker, by seed."""
    return follow_all([list(moments(scene, seed)) for seed in seeds], scene.fps)


def follow_all(sequences: list[list[Moment]], fps: float) -> dict[str, list[dict[str, Any]]]:
    """The scores of each tracker, by sequence."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in TRACKERS}
    for frames in sequences:
        for name, make in TRACKERS.items():
            follow, began_s = make(fps), time.perf_counter()
            followed = [follow(moment) for moment in frames]
            spent_ms = (time.perf_counter() - began_s) * 1000 / len(frames)
            one: Score = score(frames, followed)
            found[name].append(
                {"idf1": one.idf1, "hota": one.hota, "switches": one.switches, "identities": one.identities, "ms": spent_ms}
            )
    return found


def summary(found: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Means of each tracker, and the difference of ours to the better peer with its interval."""
    means = {
        name: {key: statistics.fmean(one[key] for one in rows) for key in ("idf1", "hota", "switches", "identities", "ms")}
        for name, rows in found.items()
    }
    ahead = {}
    for key in ("idf1", "hota"):
        best = max((name for name in found if name != "ours"), key=lambda name: means[name][key])
        differences = [own[key] - other[key] for own, other in zip(found["ours"], found[best], strict=True)]
        ahead[key] = {"peer": best, "mean": statistics.fmean(differences), "interval": interval(differences)}
    return {"means": means, "ahead": ahead}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--held-out", action="store_true", help="seeds that were not used in development")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="scenes of each kind")
    parser.add_argument("--only", default="", help="scenes whose name has this text")
    parser.add_argument("--files", action="store_true", help="the box files of motmetrics instead of scenes")
    arguments = parser.parse_args()
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise SystemExit(f"{', '.join(missing)} not installed: pip install trackers trackeval, in an environment to throw away")
    first = HELD_OUT if arguments.held_out else 0
    rows = {}
    if arguments.files:
        rows = {video: summary(follow_all([box_files.moments(video)], box_files.FPS)) for video in box_files.VIDEOS}
    for scene in () if arguments.files else SCENES:
        if arguments.only in scene.name:
            rows[scene.name] = summary(measure(scene, range(first, first + arguments.seeds)))
            print(f"measured {scene.name}", file=sys.stderr)
    print(json.dumps(rows) if arguments.json else table(rows))


def table(rows: dict[str, Any]) -> str:
    """The table of docs/benchmarks.md."""
    lines = [
        "| scene | IDF1: " + " · ".join(TRACKERS) + " | HOTA: the same | switches | ahead of the better peer: IDF1 | HOTA |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, row in [*rows.items(), ("mean of all", _mean(rows))]:
        cells = [" · ".join(f"{row['means'][one][key]:.1f}" for one in TRACKERS) for key in ("idf1", "hota", "switches")]
        lines.append(f"| {name} | {' | '.join(cells)} | {_difference(row, 'idf1')} | {_difference(row, 'hota')} |")
    return "\n".join(lines)


def _mean(rows: dict[str, Any]) -> dict[str, Any]:
    keys = ("idf1", "hota", "switches")
    means = {name: {key: statistics.fmean(row["means"][name][key] for row in rows.values()) for key in keys} for name in TRACKERS}
    return {"means": means, "ahead": {}}


def _difference(row: dict[str, Any], key: str) -> str:
    if key not in row["ahead"]:
        best = max(row["means"][name][key] for name in TRACKERS if name != "ours")
        return f"{row['means']['ours'][key] - best:+.1f}"
    one = row["ahead"][key]
    low, high = one["interval"]
    return f"{one['mean']:+.1f} ({low:+.1f} to {high:+.1f})"


if __name__ == "__main__":
    main()
