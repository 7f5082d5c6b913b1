"""`edgefleet device snapshot | clip | bench`: long-running commands of a device."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Literal

from edgefleet_client.schemas.devices import PictureRequest
from edgefleet_contract.core.command_line import add_command, seconds
from edgefleet_server.cli.client import Client, add_server_arguments, say
from edgefleet_server.cli.fleet import command_reply
from edgefleet_server.cli.parsers import DEVICE, package_of
from edgefleet_server.core.errors import StoreError, UnavailableError


def add_arguments(commands: Any) -> None:
    """Add these sub-commands to those of `device`."""
    snapshot = add_command(
        commands,
        "snapshot",
        "Save the current picture of a camera as JPEG, with masks applied",
        "edgefleet device snapshot line-7 --overlays -o line-7.jpg",
    )
    snapshot.add_argument("--pipeline", metavar="P", help="Pipeline, if the device has several")
    snapshot.add_argument("--overlays", action="store_true", help="Draw boxes, zones and lines")
    snapshot.add_argument("-o", "--output", type=Path, metavar="FILE", help="Output file (default: DEVICE.jpg)")
    clip = add_command(
        commands, "clip", "Fetch the clip or snapshot of an event from a device", "edgefleet device clip line-7 EVENT"
    )
    clip.add_argument("--snapshot", action="store_true", help="Fetch the snapshot instead of the clip")
    clip.add_argument("-o", "--output", type=Path, metavar="FILE", help="Output file (default: EVENT.mp4 or EVENT.jpg)")
    bench = add_command(
        commands,
        "bench",
        "Benchmark a package on a device and store the result in the registry",
        "edgefleet device bench line-7 --slot detector --seconds 10",
    )
    bench.add_argument("--slot", metavar="S", help="Slot, if the device has several")
    bench.add_argument("--package", metavar="NAME@VERSION", help="Another version that is on the device")
    bench.add_argument(
        "--seconds", type=seconds(0.1, 60), default=5.0, metavar="S", help="Duration, at most 60 (default: %(default)s)"
    )
    for child, deadline_s in ((snapshot, 60.0), (clip, 600.0), (bench, 300.0)):
        child.add_argument("device", help=DEVICE)
        child.add_argument(
            "--deadline",
            type=seconds(0.1, 86_400),
            default=deadline_s,
            metavar="S",
            help="Timeout in seconds (default: %(default)g)",
        )
        add_server_arguments(child)
    clip.add_argument("event", help="Record ID of the event, as in `edgefleet event list --json`")


def snapshot(client: Client, arguments: argparse.Namespace) -> int:
    """Save a current picture to a file."""
    body: PictureRequest = {"pipeline": arguments.pipeline, "overlays": arguments.overlays, "deadline_s": arguments.deadline}
    requested = client.devices.take_picture(arguments.device, body)
    done = _settled(client, arguments, requested)
    path = arguments.output or Path(f"{arguments.device}.jpg")
    write_file(path, client.devices.get_picture(arguments.device, done["result"]["picture"]))
    found = done["result"]
    return say({**found, "file": str(path)}, arguments, f"{path}: {found['pipeline']}, {found['width']}x{found['height']}")


def clip(client: Client, arguments: argparse.Namespace) -> int:
    """Save the evidence of an event to a file."""
    kind: Literal["snapshot", "clip"] = "snapshot" if arguments.snapshot else "clip"
    done = _execute(client, arguments, "clip", {"event": arguments.event, "kind": kind})
    path = arguments.output or Path(f"{arguments.event}.{'jpg' if arguments.snapshot else 'mp4'}")
    write_file(path, client.devices.get_evidence(arguments.device, arguments.event, kind))
    return say({**done["result"], "file": str(path)}, arguments, f"{path}: {path.stat().st_size} bytes")


def bench(client: Client, arguments: argparse.Namespace) -> int:
    """Run a benchmark on the device; the registry stores the result."""
    args: dict[str, Any] = {"seconds": arguments.seconds}
    if arguments.slot:
        args["slot"] = arguments.slot
    if arguments.package:
        name, version = package_of(arguments.package)
        args["digest"] = client.models.get_model(name, version)["digest"]
    found = _execute(client, arguments, "bench", args)["result"]
    latency = found["latency_ms"]
    text = (
        f"{found['package']}@{found['version']} on {arguments.device} ({found['profile'] or 'no profile'}): {found['variant']} on"
        f" {found['runtime']} {found['device']}: {found['per_s']:.1f}/s, {latency['p50']:.2f} ms"
        f" (p95 {latency['p95']:.2f})"
    )
    return say(found, arguments, text)


def _settled(client: Client, arguments: argparse.Namespace, sent: Any) -> Any:
    """Wait for the reply to a command.

    Raises:
        UnavailableError: the device refuses, or has not replied in time; the text gives the reason.
    """
    answer = command_reply.wait_for_reply(client, arguments.device, sent)
    command_reply.check_in_time(arguments.device, answer, arguments.deadline)
    if answer["state"] != "done":
        raise UnavailableError(f"{arguments.device}: {answer['detail']}")
    return answer


def _execute(client: Client, arguments: argparse.Namespace, op: str, args: dict[str, Any]) -> Any:
    return _settled(client, arguments, command_reply.send(client, arguments.device, op, args, arguments.deadline))


def write_file(path: Path, data: bytes) -> None:
    """Write what was fetched.

    Raises:
        StoreError: the disk refuses.
    """
    try:
        path.write_bytes(data)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; choose another file with -o") from error
