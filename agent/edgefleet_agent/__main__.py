"""`edgefleet-agent`: what a person types on the device.

Each command is a module of `edgefleet_agent.cli` with `add_arguments(parser)` and `run(arguments) -> exit code`, imported only when typed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Any

from edgefleet_contract.core.broken_pipe import until_unread
from edgefleet_contract.core.errors import EdgefleetError

COMMANDS: dict[str, str] = {
    "infer": "run a model on pictures and print what it finds",
    "analyze": "run a pipeline over a video file or a series in CSV, as fast as it goes",
    "check": "whether pipeline files can work, with the line of what cannot",
    "serve": "models of a folder behind the KServe V2 inference API",
    "perf": "measure an inference server: callers or a rate, latencies, what the server says of itself",
    "batch": "a model over an archive of pictures, videos and tables: by processes or Ray, resumable",
    "enroll": "make this device known to a fleet server: key, certificate, broker, trust root",
    "run": "the service: pipelines, updates, reports",
    "event": "what this device saw: search by label, zone, time; snapshots and clips",
    "status": "what the service on this device is doing",
    "import": "take a package from a stick, made by `edgefleet pack`",
    "detect": "which kind of device this machine is, and why",
    "doctor": "try every accelerator here, and say what is missing",
    "bench": "how fast a package runs here: latency, throughput, memory",
    "selftest": "check a package on this device: golden samples, latency, memory",
    "outputs": "(internal) what a variant makes of samples, for `edgefleet model quantize`",
    "launch": "what systemd starts: the agent's own version that shall run",
    "environment": "(internal) unpack another version of the agent and see whether it starts",
    "patch": "(internal) put new files together from pieces of old ones",
    "trust": "(internal) check signed metadata for the service",
    "certificate": "(internal) make a key and a certificate request for the service",
    "worker": "(internal) the process that runs pipelines",
}


def _module(command: str) -> Any:
    """The module of a command: of its name, but for a name that Python keeps for itself."""
    return importlib.import_module(f"edgefleet_agent.cli.{'import_bundle' if command == 'import' else command}")


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point. Errors end in one line on stderr and the error's exit code; a reader that goes away, in nothing."""
    given = list(sys.argv[1:] if argv is None else argv)
    return until_unread(lambda: _run(given))


def _run(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="edgefleet-agent",
        description="Runs quantized models on this device over local cameras and sensors, offline and in real time.",
        epilog="Example: edgefleet-agent infer --package firmware_models/conveyor_inspector/1.1.0 part.png --json",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        # A command added without `help` is not listed; argparse.SUPPRESS would be printed as it stands.
        if summary.startswith("(internal)"):
            child = commands.add_parser(name, description=summary)
        else:
            child = commands.add_parser(name, description=summary, help=summary)
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
