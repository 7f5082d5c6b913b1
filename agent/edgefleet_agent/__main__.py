"""`edgefleet-agent`: the program on the device.

Each command is a module of `cli` with `add_arguments(parser)` and `run(arguments) -> exit code`, imported only when used;
`completion` needs the arguments of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from edgefleet_contract.core.command_line import Command, CommandParser, end_with, run_program

COMMANDS: dict[str, Command] = {
    "try": Command(
        "edgefleet_agent.cli.camera.try_command",
        "Try a detector on a video or camera: events, counts over a line, live picture",
        "visitors.mp4 --model yolox_nano --classes person --line 0.5,1,0.5,0",
    ),
    "init": Command(
        "edgefleet_agent.cli.camera.init_command",
        "Write agent.toml and the pipeline of a camera",
        "--camera rtsp://192.168.1.20/stream1 --package yolox_nano --classes person --line 0.5,1,0.5,0",
    ),
    "infer": Command(
        "edgefleet_agent.cli.infer",
        "Run a model on images and print the results",
        "--package firmware_models/conveyor_inspector/1.1.0 part.png --draw out/",
    ),
    "analyze": Command(
        "edgefleet_agent.cli.analyze",
        "Run a pipeline on a video file or CSV time series and print the events",
        "clip.mp4 --pipeline docs/examples/motion-crossing.toml --json events.jsonl",
    ),
    "check": Command(
        "edgefleet_agent.cli.check", "Check settings and pipeline files and print each error with its line", "agent.toml"
    ),
    "serve": Command(
        "edgefleet_agent.cli.serve",
        "Serve models over the KServe V2 inference protocol (HTTP, gRPC, MQTT)",
        "firmware_models/ --http 127.0.0.1:8000 --grpc 127.0.0.1:8001",
    ),
    "perf": Command(
        "edgefleet_agent.cli.measure.perf",
        "Measure throughput and latency of an inference server",
        "conveyor_inspector --url 127.0.0.1:8000 --concurrency 1:16",
    ),
    "batch": Command(
        "edgefleet_agent.cli.batch",
        "Run a model on an archive of images, videos and tables; resumes if interrupted",
        "'archive/**/*.jpg' --package firmware_models/conveyor_inspector/1.1.0 --output found.jsonl",
    ),
    "enroll": Command(
        "edgefleet_agent.cli.enroll",
        "Enroll this device with a fleet server",
        "https://fleet.example.com --token-file line-7.token --ca-sha256 HEX --device line-7",
    ),
    "run": Command("edgefleet_agent.cli.run", "Run the agent service", "--config agent.toml --verbose"),
    "event": Command("edgefleet_agent.cli.event", "Search and show events stored on this device"),
    "status": Command("edgefleet_agent.cli.status", "Show the status of the agent on this device", "--json"),
    "bundle": Command("edgefleet_agent.cli.bundle", "Import packages exported by `edgefleet bundle export`"),
    "detect": Command("edgefleet_agent.cli.measure.detect", "Detect the device profile of this machine", "--all"),
    "doctor": Command(
        "edgefleet_agent.cli.measure.doctor",
        "Test the accelerators of this device and list what is missing",
        "--profile coral-usb",
    ),
    "bench": Command(
        "edgefleet_agent.cli.measure.bench",
        "Measure latency, throughput and memory of a package on this device",
        "firmware_models/conveyor_inspector/1.1.0 --threads 2",
    ),
    "selftest": Command(
        "edgefleet_agent.cli.measure.selftest",
        "Test a package on this device: golden samples, latency, memory",
        "firmware_models/conveyor_inspector/1.1.0",
    ),
    "diagnose": Command(
        "edgefleet_agent.cli.measure.diagnose", "Check the network up to the fleet server, or the disk", "network"
    ),
    "support-bundle": Command(
        "edgefleet_agent.cli.measure.support_bundle",
        "Write an archive about this device for support, with secrets removed",
        "--output line-7.zip",
    ),
    "completion": Command(
        "edgefleet_contract.core.completion",
        "Print the completion script of bash, zsh or fish",
        "bash > ~/.local/share/bash-completion/completions/edgefleet-agent",
    ),
    "outputs": Command(
        "edgefleet_agent.cli.internal.outputs",
        "(internal) Write a variant's outputs for samples, for `edgefleet model quantize`",
        listed=False,
    ),
    "launch": Command(
        "edgefleet_agent.cli.internal.launch",
        "Start the active agent version (used by systemd)",
        "--config /etc/edgefleet/agent.toml",
    ),
    "environment": Command(
        "edgefleet_agent.cli.internal.environment", "(internal) Unpack an agent version and check that it starts", listed=False
    ),
    "probe": Command(
        "edgefleet_agent.cli.internal.probe", "(internal) Import the whole service and print the version", listed=False
    ),
    "patch": Command(
        "edgefleet_agent.cli.internal.patch", "(internal) Assemble new files from chunks of existing ones", listed=False
    ),
    "trust": Command("edgefleet_agent.cli.internal.trust", "(internal) Verify signed metadata for the service", listed=False),
    "certificate": Command(
        "edgefleet_agent.cli.internal.certificate",
        "(internal) Create a private key and a certificate request for the service",
        listed=False,
    ),
    "sink": Command("edgefleet_agent.cli.internal.sink", "(internal) Run an event sink of the service", listed=False),
    "worker": Command("edgefleet_agent.cli.internal.worker", "(internal) Run the worker process of the service", listed=False),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point. An error gives one line on stderr and the error's exit code; a closed stdout ends the command without
    output."""
    parser = CommandParser(
        prog="edgefleet-agent",
        description="Run quantized models on local cameras and sensors, in real time and offline",
        epilog="Example: edgefleet-agent infer --package firmware_models/conveyor_inspector/1.1.0 part.png --json",
    )
    parser.add_version("edgefleet-agent")
    return run_program(parser, COMMANDS, argv)


def program() -> NoReturn:
    """The program as a process."""
    end_with(main)


if __name__ == "__main__":
    program()
