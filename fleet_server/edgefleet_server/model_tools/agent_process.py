"""Runs the agent in a child process and yields the JSON lines that it prints. A runtime that crashes ends only the child."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from edgefleet_server.core.errors import InputError, MissingError, UnavailableError

LINE_BYTES_MAX = 16 * 1024 * 1024
PREFIX = "edgefleet-agent: "


def is_agent_installed() -> bool:
    """Whether edgefleet-agent is installed beside the server."""
    return importlib.util.find_spec("edgefleet_agent") is not None


def require_agent(command: str, otherwise: str = "") -> None:
    """Check that edgefleet-agent is installed beside the server, before `command` does any work. `otherwise`: how the
    command works without it.

    Raises:
        MissingError: it is not installed; the text names the package to install.
    """
    if not is_agent_installed():
        install = (
            "with the extra of a runtime: pip install './agent[onnx]' ./contract (in a checkout), or its wheel of this release"
        )
        remedy = ", ".join((install, *filter(None, (otherwise,))))
        raise MissingError(f"`edgefleet {command}` requires edgefleet-agent {remedy}")


def agent_lines(arguments: Sequence[str], limit_s: float, *, whole: bool = False) -> Iterator[dict[str, Any]]:
    """Run `edgefleet-agent ARGUMENTS` and yield each line of JSON that it prints; `whole`: its output is one object.

    Raises:
        InputError: the child ended with an error, whose text it has. UnavailableError: it took longer than `limit_s`.
    """
    for line in _output(arguments, limit_s, whole=whole):
        yield _read(line)


def _output(arguments: Sequence[str], limit_s: float, *, whole: bool) -> Iterator[bytes]:
    overdue = threading.Event()
    with tempfile.TemporaryFile() as error_output:
        command = [sys.executable, "-m", "edgefleet_agent", *arguments]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=error_output, env=os.environ | {"PYTHONUNBUFFERED": "1"}
        ) as child:
            assert child.stdout is not None

            def end() -> None:
                overdue.set()
                child.kill()

            watch = threading.Timer(limit_s, end)
            watch.start()
            try:
                while line := child.stdout.read(LINE_BYTES_MAX) if whole else child.stdout.readline(LINE_BYTES_MAX):
                    yield line
                child.wait()
            finally:
                watch.cancel()
                if child.poll() is None:
                    child.kill()
        if overdue.is_set():
            raise UnavailableError(
                f"edgefleet-agent {arguments[0]}: no answer within {limit_s:.0f} s; try on a machine with less to do"
            )
        if child.returncode:
            error_output.seek(0)
            raise InputError(_last(error_output.read().decode(errors="replace"), child.returncode))


def agent_rows(arguments: Sequence[str], limit_s: float) -> list[dict[str, Any]]:
    """Run `edgefleet-agent ARGUMENTS`, which prints a list of objects.

    Raises:
        InputError, UnavailableError: as `agent_lines`.
    """
    text = b"".join(_output(arguments, limit_s, whole=True))
    rows = _parsed(text)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"edgefleet-agent printed {text[:80]!r} where a list of objects belongs; report this")
    return rows


def _read(line: bytes) -> dict[str, Any]:
    found = _parsed(line)
    if not isinstance(found, dict):
        raise InputError(f"edgefleet-agent printed {line[:80]!r} where an object belongs; report this")
    return found


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError as cause:
        raise InputError(f"edgefleet-agent printed {text[:80]!r} where JSON belongs; report this") from cause


def _last(text: str, code: int) -> str:
    if code < 0:
        return f"the runtime killed its process (signal {-code}); try another runtime, or update it"
    lines = [line for line in text.strip().splitlines() if line.strip()]
    reported = [line for line in lines if line.startswith(PREFIX)]
    return (reported or lines or [f"edgefleet-agent ended with code {code}"])[-1].removeprefix(PREFIX)
