"""Memory of the two processes of an agent: supervisor, and a worker with one 8-bit LiteRT detector on one camera.

    python -m benchmarks.pipeline.memory [--json]

A real agent runs the project's own detector on a rendered 640 x 480 camera at 15 frames/s for some seconds, without a broker.
Goals: worker at most 130 MB, supervisor at most 40 MB (resident set, shared library pages included).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import psutil

from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import write_site
from edgefleet_server.simulate.processes import Child

SETTLE_S = 12.0
GOAL_WORKER_MB, GOAL_SUPERVISOR_MB = 130.0, 40.0


def measure() -> dict[str, float]:
    """Resident megabytes of both processes once the pipeline has run for a while."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        camera = write_site(folder / "site", cameras=1, seconds=10.0)[0]
        files = site.write_agent(
            folder,
            device="bench",
            pipeline=site.conveyor_pipeline(camera.video),
            factory=site.model_folder(site.SECOND),
            broker_url="",
            labels={},
        )
        child = Child("agent", [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(files.config)], files.log)
        try:
            time.sleep(SETTLE_S)
            supervisor = psutil.Process(child.pid)
            workers = [process for process in supervisor.children(recursive=True) if "worker" in process.cmdline()]
            if len(workers) != 1:
                raise SystemExit(f"memory: expected one worker, found {len(workers)}: {child.tail()}")
            return {
                "supervisor_mb": supervisor.memory_info().rss / 1e6,
                "worker_mb": workers[0].memory_info().rss / 1e6,
            }
        finally:
            child.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    found = measure()
    if arguments.json:
        print(json.dumps(found))
        return
    print(f"supervisor {found['supervisor_mb']:6.1f} MB   goal ≤ {GOAL_SUPERVISOR_MB:.0f}")
    print(f"worker     {found['worker_mb']:6.1f} MB   goal ≤ {GOAL_WORKER_MB:.0f}")


if __name__ == "__main__":
    main()
