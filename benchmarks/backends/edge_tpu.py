"""An Edge TPU that fails in the middle of the work: the longest time without an answered frame.

    python -m benchmarks.backends.edge_tpu [--json] [--rounds N]

The real worker, with the stand-in library of the tests (no TPU, no USB bus). `abort` is what libedgetpu
does when a TPU is unplugged; a hang is detected after a second. Frames are reported by heartbeats, every 0.5 s. Last, from the
TPU's return until the model is on it: the stand-in is on no bus, so that only probes find it, after 2, 4, 8 ... s.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.agent.backends.edge_tpu.conftest import build
from tests.agent.backends.edge_tpu.test_faults import Watch
from tests.agent.backends.edge_tpu.test_loss import Device, package_for
from tests.conftest import ROOT, data_folder

GOAL_S = 2.0
FRAMES = 10
GAP_S = 0.8
"""Without a fault a heartbeat reports frames every 0.5 s."""
WATCHED_S = 8.0


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
        print(f"{name:32}{value_s:6.2f} s" + ("" if name.startswith("plugged") else f"   goal ≤ {GOAL_S:g}"))


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
        plugged, fault = folder / "plugged", folder / "fault"
        plugged.write_text("usb", encoding="utf-8")
        os.environ |= {
            "PYTHONPATH": str(ROOT),
            "LD_LIBRARY_PATH": str(build(folder / "libraries") / "new"),
            "TPU_DEVICES": f"@{plugged}",
            "TPU_FAULT": f"@{fault}",
        }
        package, clip = package_for(data, folder / "package"), data / "media/videos/traffic_frames.mp4"
        gaps_s = {}
        for kind in ("abort", "hang"):  # each on a fresh device: pauses grow with every restart
            with _running(package, clip) as device:
                fault.write_text(f"{kind} {FRAMES} *", encoding="utf-8")  # the process has had more runs: it ends now
                gaps_s[f"{kind} to a frame on the TPU"] = _gap_s(device, lambda: fault.write_text("", encoding="utf-8"))
        with _running(package, clip) as device:
            plugged.write_text("", encoding="utf-8")
            fault.write_text("abort 0 *", encoding="utf-8")
            gaps_s["unplugged to a frame on the CPU"] = _gap_s(device)
            assert device.running[-1][1].placement == "cpu"
            fault.write_text("", encoding="utf-8")
            plugged.write_text("usb", encoding="utf-8")
            began_s = time.monotonic()
            device.until(lambda: device.running[-1][1].placement == "edgetpu")
            home_s = time.monotonic() - began_s
    return {**gaps_s, "plugged in to the model on it": home_s}


@contextlib.contextmanager
def _running(package: Path, clip: Path) -> Iterator[Device]:
    """A device that has answered some frames on its TPU."""
    device = Device(package, clip)
    try:
        device.until(lambda: device.frames > 5 * FRAMES)
        yield device
    finally:
        device.worker.stop()


def _gap_s(device: Device, then: Callable[[], object] = lambda: None) -> float:
    """The longest time without an answered frame, until frames flow again. then: called once there is a gap."""
    watch, ends_s = Watch(device), time.monotonic() + WATCHED_S
    while time.monotonic() < ends_s:
        watch.turn(0.1)
        if watch.longest_s > GAP_S:
            then()
    if watch.longest_s <= GAP_S:
        raise SystemExit("edge_tpu: the fault did not show")
    return watch.longest_s


if __name__ == "__main__":
    main()
