"""Checks an accelerator's requirements on this machine. A vendor library may kill the process that loads it, so it is loaded in a
child process: `edgefleet-agent doctor --probe WHAT`."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from edgefleet_agent.core.extras import fitting_hint, install_hint
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.package.hosted_runtimes import HOST_FILES

PROBE_S_MAX = 120.0
"""Time limit of one probe: a first TensorRT engine of a small model takes most of a minute."""
_EXTRAS = {"lite_rt": "litert", "onnx_runtime": "onnx", "open_vino": "openvino"}


class Check(Wire):
    """Result of one check. fix: the remedy if it is not ok; needed: the profile requires it."""

    what: str
    ok: bool
    detail: str = ""
    fix: str = ""
    needed: bool = True


class Probed(Wire):
    """Result of a probe process: devices of a runtime, or the outcome of one check. error: empty on success."""

    devices: list[str] = msgspec.field(default_factory=list)
    detail: str = ""
    error: str = ""


def ask(what: str) -> Probed:
    """Runs a probe in a child process. Returns its answer, or an error that describes its exit."""
    command = [sys.executable, "-m", "edgefleet_agent", "doctor", "--probe", what]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PROBE_S_MAX, check=False)
    except subprocess.TimeoutExpired:
        return Probed(error=f"no response within {PROBE_S_MAX:.0f} s: the device hangs; unplug it and plug it in again")
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        edge_tpu = ", libedgetpu 16.0tf2.16.1 or later" if what.startswith("lite_rt") or "edgetpu" in what else ""
        return Probed(error=f"its library crashes the process ({name}): install a compatible version{edge_tpu}")
    try:
        return msgspec.json.decode(done.stdout.strip().splitlines()[-1], type=Probed)
    except (IndexError, msgspec.DecodeError):
        output = done.stderr.decode(errors="replace").strip().splitlines()
        return Probed(error=output[-1][:300] if output else f"exited with code {done.returncode}")


def need(what: str, fix: str) -> Check:
    """Checks a file, a shared library or a Python module that a profile requires."""
    if what.startswith("/"):
        found = Path(what).exists()
    elif ".so" in what:
        found = not ask(f"library:{what}").error
    else:
        found = importlib.util.find_spec(what) is not None
    return Check(what=what, ok=found, detail="" if found else "not found", fix=fitting_hint(fix))


def runtime_fix(runtime: str) -> str:
    """The command that installs a runtime."""
    if runtime in HOST_FILES:
        return HOST_FILES[runtime].install
    return install_hint(_EXTRAS.get(runtime, runtime))
