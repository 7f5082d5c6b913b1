"""`edgefleet-agent`: the program on the device.

Each command is a module of `cli` with `add_arguments(parser)` and `run(arguments) -> exit code`, imported only when used.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from edgefleet_contract.core.broken_pipe import run_to_closed_pipe
from edgefleet_contract.core.errors import EdgefleetError


class Command(NamedTuple):
    """A row of the table of commands."""

    module: str
    summary: str


COMMANDS: dict[str, Command] = {
    "infer": Command("edgefleet_agent.cli.infer", "run a model on pictures and print what it finds"),
    "analyze": Command("edgefleet_agent.cli.analyze", "run a pipeline over a video file or a series in CSV, as fast as it goes"),
    "check": Command("edgefleet_agent.cli.check", "whether pipeline files can work, with the line of what cannot"),
    "serve": Command("edgefleet_agent.cli.serve", "models of a folder behind the KServe V2 inference API"),
    "perf": Command(
        "edgefleet_agent.cli.perf", "measure an inference server: callers or a rate, latencies, what the server says of itself"
    ),
    "batch": Command(
        "edgefleet_agent.cli.batch", "a model over an archive of pictures, videos and tables: by processes or Ray, resumable"
    ),
    "enroll": Command(
        "edgefleet_agent.cli.enroll", "make this device known to a fleet server: key, certificate, broker, trust root"
    ),
    "run": Command("edgefleet_agent.cli.run", "the service: pipelines, updates, reports"),
    "event": Command("edgefleet_agent.cli.event", "what this device saw: search by label, zone, time; snapshots and clips"),
    "status": Command("edgefleet_agent.cli.status", "what the service on this device is doing"),
    "bundle": Command("edgefleet_agent.cli.bundle", "import a package from a USB stick, made by `edgefleet bundle export`"),
    "detect": Command("edgefleet_agent.cli.detect", "which kind of device this machine is, and why"),
    "doctor": Command("edgefleet_agent.cli.doctor", "try every accelerator here, and say what is missing"),
    "bench": Command("edgefleet_agent.cli.bench", "how fast a package runs here: latency, throughput, memory"),
    "selftest": Command("edgefleet_agent.cli.selftest", "check a package on this device: golden samples, latency, memory"),
    "outputs": Command(
        "edgefleet_agent.cli.internal.outputs", "(internal) what a variant makes of samples, for `edgefleet model quantize`"
    ),
    "launch": Command("edgefleet_agent.cli.internal.launch", "what systemd starts: the agent's own version that shall run"),
    "environment": Command(
        "edgefleet_agent.cli.internal.environment", "(internal) unpack another version of the agent and see whether it starts"
    ),
    "probe": Command("edgefleet_agent.cli.internal.probe", "(internal) import the whole service and print the version"),
    "patch": Command("edgefleet_agent.cli.internal.patch", "(internal) put new files together from pieces of old ones"),
    "trust": Command("edgefleet_agent.cli.internal.trust", "(internal) check signed metadata for the service"),
    "certificate": Command(
        "edgefleet_agent.cli.internal.certificate", "(internal) make a key and a certificate request for the service"
    ),
    "worker": Command("edgefleet_agent.cli.internal.worker", "(internal) the process that runs pipelines"),
}


def _module(command: str) -> Any:
    return importlib.import_module(COMMANDS[command].module)


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point. An error gives one line on stderr and the error's exit code; a closed stdout ends the command without
    output."""
    given = list(sys.argv[1:] if argv is None else argv)
    return run_to_closed_pipe(lambda: _run(given))


def _run(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="edgefleet-agent",
        description="Runs quantized models on this device over local cameras and sensors, offline and in real time.",
        epilog="Example: edgefleet-agent infer --package firmware_models/conveyor_inspector/1.1.0 part.png --json",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        # A command added without `help` is not listed; argparse.SUPPRESS would be printed as it stands.
        if command.summary.startswith("(internal)"):
            child = commands.add_parser(name, description=command.summary)
        else:
            child = commands.add_parser(name, description=command.summary, help=command.summary)
        if argv and argv[0] == name:
            _module(name).add_arguments(child)
    arguments = parser.parse_args(argv)
    try:
        code: int = _module(arguments.command).run(arguments)
    except EdgefleetError as error:
        print(f"edgefleet-agent: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
