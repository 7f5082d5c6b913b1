"""An Edge TPU that is lost in the middle of the work: how long until frames are answered again.

    python -m benchmarks.backends.edge_tpu [--json] [--rounds N]

The real supervisor and worker with the stand-in library of the tests (no TPU, no USB bus): `abort` is what libedgetpu does when
a TPU is unplugged. Measured from the end of the process, as seen by the supervisor, to the heartbeat (every 0.5 s) that reports
the first frame of its successor, on a TPU that is back at once or on the CPU otherwise; and from the TPU's return until the model
is on it: the stand-in is on no bus, so that only probes find it, after 2, 4, 8 ... s.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.agent.backends.edge_tpu.conftest import build
from tests.agent.backends.edge_tpu.test_loss import Device, package_for
from tests.conftest import ROOT, data_folder

GOAL_S = 2.0
ABORT_AFTER = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    arguments = parser.parse_args()
    rounds = [measure() for _ in range(arguments.rounds)]
    found = {name: statistics.median(row[name] for row in rounds) for name in rounds[0]}
    if arguments.json:
        print(json.dumps(found))
        return
    for name, value_s in found.items():
        print(f"{name:32}{value_s:6.2f} s" + (f"   goal ≤ {GOAL_S:g}" if name.startswith("abort") else ""))


def measure() -> dict[str, float]:
    """One device's bad day; seconds.

    Raises:
        SystemExit: no test data.
    """
    data = data_folder()
    if data is None:
        raise SystemExit("edge_tpu: no test data; set EDGEFLEET_TEST_DATA")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plugged = folder / "plugged"
        plugged.write_text("usb", encoding="utf-8")
        os.environ |= {
            "PYTHONPATH": str(ROOT),
            "LD_LIBRARY_PATH": str(build(folder / "libraries") / "new"),
            "TPU_DEVICES": f"@{plugged}",
            "TPU_ABORT_AFTER": str(ABORT_AFTER),
        }
        device = Device(package_for(data, folder / "package"), data / "media/videos/traffic_frames.mp4")
        try:
            back_s = _after_abort(device, 1, "edgetpu")
            plugged.write_text("", encoding="utf-8")
            fallen_s = _after_abort(device, 2, "cpu")
            plugged.write_text("usb", encoding="utf-8")
            began_s = time.monotonic()
            device.until(lambda: device.running[-1][1].placement == "edgetpu")
            home_s = time.monotonic() - began_s
        finally:
            device.worker.stop()
    return {
        "abort to a frame on the TPU": back_s,
        "abort to a frame on the CPU": fallen_s,
        "plugged in to the model on it": home_s,
    }


def _after_abort(device: Device, number: int, placement: str) -> float:
    device.until(lambda: device.worker.crashes == number)
    began_s = time.monotonic()
    device.frames = 0
    reached: Callable[[], bool] = lambda: device.frames > 0 and device.running[-1][1].placement == placement  # noqa: E731
    device.until(reached)
    return time.monotonic() - began_s


if __name__ == "__main__":
    main()
