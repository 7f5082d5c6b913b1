"""`edgefleet-agent support-bundle`: an archive about this device for those who help, with secrets removed."""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import time
from pathlib import Path

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.measure.diagnose import STATE, enrolled_broker
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_agent.machine.host_checks import disk_checks, network_checks
from edgefleet_agent.machine.support_files import list_of_files, write_support_bundle
from edgefleet_agent.machine.vitals import hardware, installed_runtimes
from edgefleet_agent.service.status_socket import ask
from edgefleet_agent.service.version import agent_version
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text

PROGRAM_S_MAX = 90.0
FILE_BYTES_MAX = 4_000_000
JOURNAL = ["journalctl", "--unit=edgefleet-agent", "--no-pager", "--output=short-iso", "--lines=5000"]
DOCTOR = [sys.executable, "-m", "edgefleet_agent", "doctor"]
_README = """Support bundle of an edgefleet device.
about.json      versions and hardware
status.json     the status of the service
settings.toml   its settings, pipelines/ its pipelines
log.txt         the last lines of service and worker, journal.txt those of the system's journal
doctor.txt      accelerators, checks.json network and disk
files.txt       names and sizes of the files in the state folder
Passwords, tokens and keys were replaced by ***.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `support-bundle`."""
    add_config_option(parser)
    parser.add_argument("--state", type=Path, metavar="DIR", help=f"State folder (default: of the settings, or {STATE})")
    parser.add_argument("--broker", default="", metavar="URL", help="Address of the broker (default: of the enrolment)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="Further log to include")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("edgefleet-support.zip"), metavar="FILE", help="Archive (default: %(default)s)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the archive and print its name."""
    texts = {"README.txt": _README}
    state: Path | None = arguments.state
    pipelines = arguments.config.parent / configuration.PIPELINES
    broker = arguments.broker
    try:
        settings = configuration.read_settings(arguments.config)
    except EdgefleetError as error:
        texts["settings-error.txt"] = str(error)
    else:
        state, broker = state or Path(settings.state), broker or settings.broker
        pipelines = Path(settings.pipelines) if settings.pipelines else pipelines
    state = state or STATE
    texts["settings.toml"] = read_text(arguments.config)
    for file in sorted(pipelines.glob("*.toml"))[: configuration.PIPELINES_MAX]:
        texts[f"pipelines/{file.name}"] = read_text(file)
    texts["about.json"] = _json(
        {
            "agent_version": agent_version(),
            "made_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "hardware": hardware(),
            "runtimes": installed_runtimes(),
            "python": sys.version,
            "system": platform.platform(),
        }
    )
    texts["status.json"] = _status(state)
    texts["log.txt"] = read_text(arguments.log) if arguments.log is not None else "the service was not asked\n"
    texts["journal.txt"] = output_of(JOURNAL)
    texts["doctor.txt"] = output_of([*DOCTOR, "--state", str(state)])
    checks = [*network_checks(broker or enrolled_broker(state)), *disk_checks(state)]
    texts["checks.json"] = _json([to_plain(check) for check in checks])
    texts["files.txt"] = list_of_files(state)
    length = write_support_bundle(arguments.output, texts)
    print(f"{arguments.output}: {length} bytes")
    return 0


def read_text(file: Path) -> str:
    """The end of a text file, or why it cannot be read."""
    try:
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - FILE_BYTES_MAX))
            return opened.read(FILE_BYTES_MAX).decode(errors="replace")
    except OSError as error:
        return f"# {file}: {error.strerror}\n"


def output_of(command: list[str]) -> str:
    """The output of a program, or the reason why it cannot run."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=PROGRAM_S_MAX, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        return f"{command[0]}: {error.strerror}\n"
    except subprocess.TimeoutExpired:
        return f"{' '.join(command)}: no end within {PROGRAM_S_MAX:.0f} s\n"
    return (done.stdout + done.stderr)[-FILE_BYTES_MAX:].decode(errors="replace")


def _status(state: Path) -> str:
    try:
        return _json(ask(state))
    except EdgefleetError as error:
        return _json({"error": str(error)})


def _json(value: object) -> str:
    return json_text(value, indent=1, ascii_only=False)
