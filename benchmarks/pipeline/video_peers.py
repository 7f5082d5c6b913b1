"""The same clips through OpenCV in a loop and through `supervision`'s usual recipe, beside ours: speed, memory, counting errors.

    python -m benchmarks.pipeline.video_peers [--json] [--supervision PYTHON]

Every one of them uses the same detector (SSD MobileNet v1, 8 bit, LiteRT, one thread) with the same threshold, in a process of
its own, in turns. Traffic over a line: crossings that people noted within five frames and in the right direction count; errors
are those missing and those too many. Visitors: six came one by one; an error is each one too many or too few (of the loops:
tracks; of
ours: visits). PYTHON is an interpreter that has `supervision` (0.26: 0.31 took ByteTrack out) and ai-edge-litert, best in an
environment to throw away; without it that line is left out. Clips come from the test data (EDGEFLEET_TEST_DATA, default
../shared).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.packages import assemble

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or ROOT.parent / "shared")
MODEL = DATA / "models/tflite/ssd_mobilenet_v1_coco_quant"
CARS, VISITORS = DATA / "media/videos/car-detection.mp4", DATA / "media/videos/one-by-one-person-detection.mp4"
TOLERANCE = 5
PEOPLE = 6

OURS = """
import json, resource, sys
from edgefleet_agent.__main__ import main
code = main(sys.argv[1:])
spent = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"memory_mb": spent.ru_maxrss / 1024, "cpu_s": spent.ru_utime + spent.ru_stime}))
sys.exit(code)
"""


def peer(python: str, script: str, video: Path, *label: str) -> dict[str, Any]:
    """One peer's own account.

    Raises:
        SystemExit: it failed; its own words are shown.
    """
    arguments = [str(video), str(MODEL / "ssd_mobilenet_v1_coco_quant.tflite"), str(MODEL / "coco_labels.txt"), *label]
    return last_line([python, str(ROOT / "benchmarks/pipeline/peer_videos" / script), *arguments])[-1]


def last_line(command: list[str]) -> list[dict[str, Any]]:
    """Run a command; returns the JSON objects that it printed, one per line."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if ended.returncode:
        raise SystemExit(f"{command[1]} failed:\n{ended.stderr.strip()[-2000:]}")
    return [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]


def ours(folder: Path, video: Path, example: str) -> dict[str, Any]:
    """The command that a person types, and what it found."""
    pipeline = str(ROOT / "docs/examples" / example)
    command = [sys.executable, "-c", OURS, "analyze", str(video), "--pipeline", pipeline, "--package", str(folder)]
    *events, summary, spent = last_line([*command, "--threads", "1", "--json"])
    crossings = [[event["start_frame"], event["direction"]] for event in events if event["kind"] == "line"]
    report = {"frames": summary["frames"], "seconds": summary["seconds"], **spent}
    return {**report, "crossings": crossings, "tracks": summary["visits"]}


def errors_in(crossings: list[list[Any]]) -> int:
    """Crossings missing and too many."""
    truth = json.loads((DATA / "media/videos/expected.json").read_text())["videos"][CARS.name]["ground_truth"]["cars"]
    left = [(car["crosses_y216_at_frame"], "up" if "upwards" in car["car"] else "down") for car in truth]
    extra = 0
    for frame, direction in crossings:
        match = next((real for real in left if abs(real[0] - frame) <= TOLERANCE and real[1] == direction), None)
        if match is None:
            extra += 1
        else:
            left.remove(match)
    return len(left) + extra


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--supervision", default="", metavar="PYTHON")
    arguments = parser.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        detector = assemble(DATA, Path(folder), "ssd_mobilenet_v1")
        contenders = {
            "ours": lambda video, label: ours(detector, video, "crossing.toml" if video is CARS else "person-visits.toml"),
            "OpenCV in a loop": lambda video, label: peer(sys.executable, "opencv_loop.py", video, *label),
        }
        if arguments.supervision:
            contenders["supervision"] = lambda video, label: peer(arguments.supervision, "supervision_recipe.py", video, *label)
        for name, run in contenders.items():
            cars, visitors = run(CARS, []), run(VISITORS, ["person"])
            rows[name] = {
                "fps": (cars["frames"] + visitors["frames"]) / (cars["seconds"] + visitors["seconds"]),
                "cpu_ms_a_frame": 1000 * (cars["cpu_s"] + visitors["cpu_s"]) / (cars["frames"] + visitors["frames"]),
                "memory_mb": max(cars["memory_mb"], visitors["memory_mb"]),
                "crossings": len(cars["crossings"]),
                "crossing_errors": errors_in(cars["crossings"]),
                "people": visitors["tracks"],
                "people_errors": abs(visitors["tracks"] - PEOPLE),
            }
    if arguments.json:
        print(json.dumps(rows))
        return
    for name, row in rows.items():
        cost = f"{row['cpu_ms_a_frame']:6.1f} ms of processor a frame  {row['memory_mb']:5.0f} MB"
        lines = f"crossings {row['crossings']} ({row['crossing_errors']} errors)"
        people = f"people {row['people']} ({row['people_errors']} errors)"
        print(f"{name:18} {row['fps']:6.1f} frames/s  {cost}  {lines}  {people}")


if __name__ == "__main__":
    main()
