"""Lists the devices of plug-in execution providers: each library is registered in a child, which it may kill.

python -m edgefleet_agent.backends.onnx_runtime.plug_in_list NAME
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Sequence

from edgefleet_agent.backends.onnx_runtime.plug_ins import offered_devices, plug_in_libraries
from edgefleet_contract.core.errors import MissingError

LIST_S_MAX = 60.0
"""Time limit for one library."""
DEVICES_MAX = 64

log = logging.getLogger(__name__)


def offered_names() -> list[str]:
    """The names of the devices that the libraries of this machine offer. A library with a fault offers none, and the log says
    why."""
    try:
        libraries = list(plug_in_libraries())
    except MissingError as cause:
        log.warning("%s", cause)
        return []
    return [device for name in libraries for device in _of_one(name)]


def _of_one(name: str) -> list[str]:
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__, name], capture_output=True, timeout=LIST_S_MAX, check=False, stdin=subprocess.DEVNULL
        )
        if done.returncode == 0:
            return [str(each) for each in json.loads(done.stdout.splitlines()[-1])][:DEVICES_MAX]
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = f"it crashes the process (signal {-done.returncode})" if done.returncode < 0 else (lines or [""])[-1][:300]
    except subprocess.TimeoutExpired:
        reason = f"no answer within {LIST_S_MAX:.0f} s"
    except (json.JSONDecodeError, IndexError):
        reason = "no answer"
    log.warning("execution provider %s is not listed: %s", name, reason)
    return []


def main(arguments: Sequence[str]) -> int:
    """Print the names of the devices of one library as JSON."""
    # Read by the library when it is loaded, see `backend`.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    try:
        print(json.dumps([name for name, _ in offered_devices(onnxruntime, plug_in_libraries()[arguments[0]])]))
    except (MissingError, KeyError) as cause:
        print(cause, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
