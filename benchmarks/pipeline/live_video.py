"""Live video over a real server and agent: delay from the device to a viewer, and processor time of the agent for a stream.

    python -m benchmarks.pipeline.live_video CLIP [--seconds N] [--json]

CLIP: a video that browsers play, in the place of a camera. The delay begins when a packet arrives at the device and ends when the
fragment that it completes is at the viewer; a camera's own encoder and network come on top. Processor time is that of all
processes of the agent, beside the same time without viewers.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from edgefleet_contract.wire.live_video import unpack_part
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.fleet_server.fakes.video_viewer import watch
from tests.import_path import import_path

PIPELINE = """
name = "{name}"
[source]
kind = "file"
uri = "{clip}"
pace = "realtime"
[[stages]]
name = "moves"
kind = "motion"
"""
MASK = """
[[masks]]
name = "corner"
polygon = [[0.0, 0.0], [0.25, 0.0], [0.25, 0.25], [0.0, 0.25]]
"""


def processor_s(agent: int) -> float:
    """Processor time of the agent and its children."""
    tree = [psutil.Process(agent), *psutil.Process(agent).children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in tree)


def rate(agent: int, seconds: float) -> float:
    """Share of a core while time passes."""
    before, began_s = processor_s(agent), time.monotonic()
    time.sleep(seconds)
    return (processor_s(agent) - before) / (time.monotonic() - began_s)


def watched(url: str, agent: int, name: str, seconds: float) -> dict[str, float]:
    """The figures of one camera."""
    time.sleep(5)  # the start is over
    idle = rate(agent, seconds)
    before, began_s = processor_s(agent), time.monotonic()
    with watch(url, "cam-1", name) as viewer:
        viewer.read(30.0, parts=3)
        first_s = time.monotonic() - began_s
        viewer.lags_s.clear()
        viewer.read(seconds)
        busy = (processor_s(agent) - before) / (time.monotonic() - began_s)
    length = sum(len(part) for part in viewer.parts)
    assert unpack_part(viewer.parts[-1]).data
    return {
        "first_picture_s": round(first_s, 2),
        "delay_ms": round(statistics.median(viewer.lags_s) * 1e3, 1),
        "delay_worst_ms": round(max(viewer.lags_s) * 1e3, 1),
        "cores": round(busy - idle, 3),
        "kbit_per_s": round(length * 8e-3 / seconds),
    }


def measure(clip: Path, seconds: float) -> dict[str, Any]:
    """Figures of packets of a camera, and of pictures that are encoded because of a mask."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        server = ServerProcess(place / "data").start()
        found = {}
        try:
            for name, more in (("packets", ""), ("masked", MASK)):
                state = place / name
                (state / "pipelines").mkdir(parents=True)
                (state / "pipelines/one.toml").write_text(PIPELINE.format(name=name, clip=clip.resolve()) + more)
                broker = server.state()["mqtt_url"]
                config = f'device = "cam-1"\nbroker = "{broker}"\nstate = "state"\npipelines = "pipelines"\n'
                (state / "agent.toml").write_text(config)
                command = [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(state / "agent.toml")]
                environment = {**os.environ, "PYTHONPATH": import_path()}
                with (state / "agent.log").open("wb") as log:
                    agent = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=environment)
                try:
                    eventually("the camera runs", lambda: _runs(server, name), 60.0)  # noqa: B023 (called at once)
                    found[name] = watched(str(server.state()["url"]), agent.pid, name, seconds)
                finally:
                    agent.terminate()
                    agent.wait(60)
        finally:
            server.stop()
    return found


def _runs(server: ServerProcess, name: str) -> bool:
    answer = server.http.get("/devices/cam-1")
    return answer.status_code == 200 and answer.json()["online"] and name in answer.text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", type=Path, metavar="CLIP")
    parser.add_argument("--seconds", type=float, default=15.0, metavar="N")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure(arguments.clip, arguments.seconds)
    if arguments.json:
        print(json.dumps(found))
        return 0
    for name, row in found.items():
        print(
            f"{name:8} first picture {row['first_picture_s']:.2f} s · delay {row['delay_ms']:.0f} ms, worst"
            f" {row['delay_worst_ms']:.0f} ms · {row['cores'] * 100:.1f} % of a core more · {row['kbit_per_s']:.0f} kbit/s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
