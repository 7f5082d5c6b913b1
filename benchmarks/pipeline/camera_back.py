"""Time from the return of a camera to its first frame: the camera is killed and restarted, frozen and resumed, several times.

    python -m benchmarks.pipeline.camera_back [--rounds N] [--json]

The camera is GStreamer's RTSP server (see `deploy/setup.sh`). It has returned when it
listens, or is resumed. The goal is at most 3 s; the camera needs about half a second of it to start its encoder.
"""

from __future__ import annotations

import argparse
import json
import random
import threading
import time

from edgefleet_agent.pipeline.camera.capture import Capture
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.cameras import RtspCamera, no_rtsp_server


class Frames:
    """Pulls a source and knows when its last frame came."""

    def __init__(self, spec: SourceSpec) -> None:
        self._capture = Capture(spec, lambda *_: None)
        self._came = threading.Condition()
        self._count = 0
        self._thread = threading.Thread(target=self._pull, daemon=True)
        self._thread.start()

    def _pull(self) -> None:
        for _ in self._capture.frames():
            with self._came:
                self._count += 1
                self._came.notify_all()

    def next_after_s(self, began_s: float) -> float:
        """Seconds from `began_s` to the next frame."""
        with self._came:
            count = self._count
            assert self._came.wait_for(lambda: self._count > count, 60)
        return time.monotonic() - began_s

    def close(self) -> None:
        """Stop."""
        self._capture.close()
        self._thread.join()


def measure(rounds: int) -> dict[str, list[float]]:
    """Seconds, by kind of loss."""
    delays_s: dict[str, list[float]] = {"killed": [], "frozen": []}
    with RtspCamera() as camera:
        camera.on()
        frames = Frames(SourceSpec(kind="rtsp", uri=camera.url()))
        frames.next_after_s(time.monotonic())
        for _ in range(rounds):
            camera.kill()
            time.sleep(random.uniform(3, 6))
            camera.on()
            delays_s["killed"].append(round(frames.next_after_s(time.monotonic()), 2))
            time.sleep(1)
            camera.freeze()
            time.sleep(random.uniform(4, 8))
            camera.thaw()
            delays_s["frozen"].append(round(frames.next_after_s(time.monotonic()), 2))
            time.sleep(1)
        frames.close()
    return delays_s


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    missing = no_rtsp_server()
    if missing:
        raise SystemExit(missing)
    delays_s = measure(arguments.rounds)
    if arguments.json:
        print(json.dumps(delays_s))
        return
    for what, values in delays_s.items():
        print(f"{what:8} worst {max(values):.2f} s of {values}  goal 3 s")


if __name__ == "__main__":
    main()
