"""Runs Coral's compiler, if it is installed, on a full-int8 TFLite file. Its exit code does not tell how many operators run on
the device; its log does, and is parsed."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from edgefleet_server.core.errors import InputError, UnavailableError

COMPILER = "edgetpu_compiler"
LIMIT_S = 600
"""Timeout option of the compiler, whose default is 180 s."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """on_device and on_cpu: operators. streamed: parameters that do not fit the memory on the chip, as the compiler words it."""

    file: Path
    version: str
    on_device: int
    on_cpu: int
    streamed: str
    left: tuple[str, ...]


def compiler() -> str | None:
    """Path of the compiler; None if it is not installed."""
    return shutil.which(COMPILER)


def compile_for_edge_tpu(file: Path, into: Path) -> Compiled:
    """Compile `file` into the folder `into`.

    Raises:
        InputError: the compiler refuses the file, or left every operator to the CPU. UnavailableError: it takes too long.
    """
    command = [compiler() or COMPILER, "-s", "-o", str(into), str(file)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired as cause:
        raise UnavailableError(f"{COMPILER}: no end within {LIMIT_S} s; compile {file.name} by hand") from cause
    except OSError as cause:
        raise InputError(f"{COMPILER} cannot be started: {cause.strerror}; install it again") from cause
    output = (done.stdout + done.stderr).decode(errors="replace")
    made = into / f"{file.stem}_edgetpu.tflite"
    if done.returncode or not made.is_file():
        raise InputError(
            f"{COMPILER} refuses {file.name}: {_reason(output)}; `edgefleet model validate` says what the Edge TPU takes"
        )
    compiled = Compiled(
        file=made,
        version=_find(output, r"Edge TPU Compiler version (\S+)", "unknown"),
        on_device=int(_find(output, r"operations that will run on Edge TPU: (\d+)", "0")),
        on_cpu=int(_find(output, r"operations that will run on CPU: (\d+)", "0")),
        streamed=_find(output, r"Off-chip memory used for streaming uncached model parameters: (\S+)", "unknown"),
        left=tuple(f"{name}: {status.strip()}" for name, status in _left(output)),
    )
    total = _find(output, r"Total number of operations: (\d+)", "0")
    if not compiled.on_device and not compiled.on_cpu:
        # The compiler lists the split only where there is one.
        compiled = Compiled(made, compiled.version, int(total), 0, compiled.streamed, ())
    if not compiled.on_device:
        raise InputError(
            f"{COMPILER} left all {total} operators of {file.name} to the CPU ({_reason(output)}); the Edge TPU gains nothing"
        )
    return compiled


def _find(output: str, pattern: str, usual: str) -> str:
    found = re.search(pattern, output)
    return found.group(1) if found else usual


def _left(output: str) -> list[tuple[str, str]]:
    """Rows of the table of operators (name, count, status) that are not on the device."""
    rows = re.findall(r"^([A-Z][A-Z0-9_]+|custom)\s+\d+\s+(\S.*)$", output, re.MULTILINE)
    return [(name, status) for name, status in rows if not status.startswith("Mapped to Edge TPU")]


def _reason(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    relevant = [
        line
        for line in lines
        if re.match(r"(ERROR|Internal compiler error|Model not quantized|Invalid model|.*not supported)", line)
    ]
    exact = [line for line in relevant if not line.startswith("Invalid model")]
    return (exact or relevant or lines or ["it says nothing"])[-1][:200].rstrip(".")
