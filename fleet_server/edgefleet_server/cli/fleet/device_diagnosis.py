"""`edgefleet device logs | check | support-bundle`: what a device says about itself."""

from __future__ import annotations

import argparse
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from edgefleet_client.schemas.fleet import DeviceLog
from edgefleet_contract.core.command_line import add_command, seconds
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say
from edgefleet_server.cli.fleet import command_reply, device_commands
from edgefleet_server.cli.parsers import DEVICE
from edgefleet_server.core.errors import UnavailableError

FOLLOW_S: Final = 2.0
POLL_S: Final = 2.0
CHECKS: Final = ("doctor", "selftest", "network", "disk", "cameras")


def add_arguments(commands: Any) -> None:
    """Add these sub-commands to those of `device`."""
    logs = add_command(commands, "logs", "Show the log of a device", "edgefleet device logs line-7 --level warning --follow")
    logs.add_argument("device", help=DEVICE)
    logs.add_argument(
        "--source",
        choices=("service", "worker", "journal"),
        default="service",
        help="Log of the service or its worker, or the system's journal, which has earlier runs (default: %(default)s)",
    )
    logs.add_argument("--pipeline", metavar="P", help="Only lines that name this pipeline")
    logs.add_argument(
        "--level", choices=("debug", "info", "warning", "error"), default="debug", help="Lowest level (default: all)"
    )
    logs.add_argument("--search", default="", metavar="TEXT", help="Only lines with this text")
    logs.add_argument("--lines", type=int, default=200, metavar="N", help="Number of lines, at most 1000 (default: %(default)s)")
    logs.add_argument("--follow", action="store_true", help="Show new lines until you press Ctrl-C")
    logs.add_argument("--last", action="store_true", help="Show the last received log of a device that is offline")
    check = add_command(commands, "check", "Run a check on a device", "edgefleet device check line-7 network")
    check.add_argument("device", help=DEVICE)
    check.add_argument("name", choices=CHECKS, help="Check to run")
    bundle = add_command(
        commands,
        "support-bundle",
        "Fetch versions, settings, logs and checks of a device as an archive, with secrets removed",
        "edgefleet device support-bundle line-7 -o line-7.zip",
    )
    bundle.add_argument("device", help=DEVICE)
    bundle.add_argument("-o", "--output", type=Path, metavar="FILE", help="Output file (default: DEVICE-support.zip)")
    for child in (check, bundle):
        child.add_argument(
            "--deadline", type=seconds(0.1, 86_400), default=600.0, metavar="S", help="Timeout in seconds (default: %(default)g)"
        )
    for child in (logs, check, bundle):
        add_server_arguments(child)


def logs(client: Client, arguments: argparse.Namespace) -> int:
    """Print log lines, and those that follow them."""
    if arguments.last:
        return _print_log(client.fleet.get_last_logs(arguments.device), arguments)
    found = _read(client, arguments, "")
    _print_log(found, arguments)
    while arguments.follow:
        if not found["cursor"]:
            raise UnavailableError(f"the agent of {arguments.device} is too old to follow its log; update it to 0.3.0 or later")
        time.sleep(FOLLOW_S)
        found = _read(client, arguments, found["cursor"])
        _print_log(found, arguments)
    return 0


def check(client: Client, arguments: argparse.Namespace) -> int:
    """Run a check and print its rows; exit code 3 if one failed."""
    sent = command_reply.send(client, arguments.device, "diagnose", {"check": arguments.name}, arguments.deadline)
    done = command_reply.wait_for_reply(client, arguments.device, sent)
    command_reply.check_in_time(arguments.device, done, arguments.deadline)
    if done["state"] != "done":
        raise UnavailableError(f"{arguments.device}: {done['detail']}")
    result = done["result"]
    if arguments.json:
        print_json(result)
    else:
        rows = [
            (each["what"], "ok" if each["ok"] else "FAILED" if each["needed"] else "no", each["detail"])
            for each in result.get("checks", [])
        ]
        print_table(("CHECK", "RESULT", "DETAILS"), rows)
    return 0 if result.get("ok", True) else 3


def support_bundle(client: Client, arguments: argparse.Namespace) -> int:
    """Request a support bundle, wait for it, and save it."""
    row, ends_s = client.fleet.request_support_bundle(arguments.device), time.monotonic() + arguments.deadline
    name = row["id"]
    while row["state"] == "pending" and time.monotonic() < ends_s:
        time.sleep(POLL_S)
        row = next(each for each in client.fleet.list_support_bundles(arguments.device)["items"] if each["id"] == name)
    if row["state"] == "pending":
        raise UnavailableError(
            f"no support bundle of {arguments.device} within {arguments.deadline:g} s; it goes on, and the device's page shows it"
        )
    if row["state"] != "done":
        raise UnavailableError(f"{arguments.device}: {row['detail']}")
    path = arguments.output or Path(f"{arguments.device}-support.zip")
    data = client.fleet.get_support_bundle(arguments.device, name)
    device_commands.write_file(path, data)
    return say({"id": name, "file": str(path)}, arguments, f"{path}: {len(data)} bytes")


def _read(client: Client, arguments: argparse.Namespace, since: str) -> DeviceLog:
    source: Any = "pipeline" if arguments.pipeline else arguments.source
    return client.fleet.view_logs(
        arguments.device,
        source=source,
        pipeline=arguments.pipeline,
        level=arguments.level,
        search=arguments.search,
        lines=arguments.lines,
        since=since,
    )


def _print_log(found: DeviceLog, arguments: argparse.Namespace) -> int:
    if arguments.json:
        print_json(found)
        return 0
    if found["lost"]:
        print(f"{found['lost']} lines were dropped")
    for line in found["records"]:
        moment = datetime.fromtimestamp(line["at"]).astimezone().isoformat(" ", "seconds") if line["at"] else "-"
        print(f"{moment} {line['level']:<7} {line['text']}", flush=True)
    return 0
