"""Whether memory stays flat: an hour of a camera, compressed by a file that is read as fast as it goes, over and over.

    python -m benchmarks.pipeline.soak [--hours H] [--json]

Everything that grows in a careless program is switched on: tracks and crossings by motion, a snapshot and a clip for every event,
the store of events with its limits, a viewer of the live picture. Resident memory is sampled; what counts is how much the median
of the last quarter is above that of the second one, once limits are reached and caches are warm.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.machine.vitals import rss_bytes
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.recording.event_store import EventStore, Query, search
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_contract.pipeline.spec import EvidenceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event
from tests.conftest import data_folder

PIPELINE = Path(__file__).resolve().parents[2] / "docs/examples/motion-crossing.toml"
KEEP_BYTES, STORE_BYTES = 20_000_000, 500_000
SAMPLES = 80


class Quiet:
    """Counts events and faults without storing them."""

    def __init__(self) -> None:
        self.events = 0
        self.faults: list[str] = []

    def on_event(self, _event: Event) -> None:
        self.events += 1

    def on_fault(self, _pipeline: str, text: str, _over: bool) -> None:
        self.faults.append(text)


def _watch(hub: LocalApiHub, over: threading.Event) -> None:
    """A viewer of the live picture, all the time."""
    number = 0
    while not over.is_set():
        with hub.live.watch("motion-crossing"):
            while not over.is_set() and (shot := hub.live.next("motion-crossing", number, 1.0)) is not None:
                number = shot.number
                shot.jpeg(overlays=True)


def measure(hours: float, clip: Path) -> dict[str, Any]:
    """One run."""
    spec = read_pipeline(PIPELINE.read_text(encoding="utf-8"), str(PIPELINE))
    spec.source.uri, spec.source.pace, spec.source.loop = str(clip), "fast", True
    spec.evidence = EvidenceSpec(pre_s=1.0, post_s=1.0, max_s=10.0)
    listener, over = Quiet(), threading.Event()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hub = LocalApiHub("soak", "0")
        hub.store = EventStore(folder, 86400.0, STORE_BYTES, DiskFaults(), time.time)
        runner = Runner(listener, evidence=EvidenceFolder(folder, KEEP_BYTES, 86400.0), observers=hub)
        runner.set_pipelines([spec])
        run = runner.runs[spec.name]
        threading.Thread(target=_watch, args=(hub, over), daemon=True).start()
        expected, samples, descriptors = round(hours * 3600 * 25), [], []
        began_s = time.monotonic()
        while run.frames_total < expected and not run.done.is_set():
            time.sleep(0.2)
            if run.frames_total >= expected * len(samples) / SAMPLES:
                samples.append(rss_bytes() / 1e6)
                print(f"{run.frames_total} frames, {samples[-1]:.1f} MB", file=sys.stderr, flush=True)
                descriptors.append(len(list(Path("/proc/self/fd").iterdir())))
        seconds = time.monotonic() - began_s
        frames = run.frames_total
        over.set()
        runner.close()
        hub.close()
        stored_bytes = sum(path.stat().st_size for path in folder.glob("*/*"))
        rows = len(search(folder, Query(limit=1000)))
    quarter = len(samples) // 4
    before, after = statistics.median(samples[quarter : 2 * quarter]), statistics.median(samples[-quarter:])
    return {
        "frames": frames,
        "seconds": round(seconds, 1),
        "camera_hours": round(frames / 25 / 3600, 2),
        "events": listener.events,
        "rows_kept": rows,
        "evidence_mb": round(stored_bytes / 1e6, 1),
        "rss_mb": [round(before, 1), round(after, 1)],
        "growth_mb": round(after - before, 2),
        # The fewest at any look: files that are open for a moment are none that were forgotten.
        "descriptors": [min(descriptors[quarter : 2 * quarter]), min(descriptors[-quarter:])],
        "faults": listener.faults[:3],
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    data = data_folder()
    if data is None:
        raise SystemExit("soak: set EDGEFLEET_TEST_DATA to the folder of real clips")
    found = measure(arguments.hours, data / "media/videos/car-detection.mp4")
    if arguments.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:14} {value}")


if __name__ == "__main__":
    main()
