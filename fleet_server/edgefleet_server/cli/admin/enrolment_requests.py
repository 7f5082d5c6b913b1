"""`edgefleet token requests | approve ID… | deny ID…`: devices that wait for the approval of their enrolment."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any, Final

from edgefleet_contract.core.command_line import add_command
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.core.errors import InputError

ACTIONS: Final = ("requests", "approve", "deny")
KEY_CHARS: Final = 16
"""Shown part of a key's SHA-256, as the device shows it."""
DECIDED_AT_ONCE: Final = 1_000


def add_arguments(commands: Any) -> None:
    """Add the actions to the subparsers of `edgefleet token`."""
    listing = add_command(commands, "requests", "List the devices that wait for approval")
    approve = add_command(commands, "approve", "Approve the enrollment of devices", "edgefleet token approve cam-17 cam-18")
    deny = add_command(commands, "deny", "Deny the enrollment of devices", "edgefleet token deny cam-17")
    approve.add_argument("--all", action="store_true", help="Approve all devices that wait now")
    for child, count in ((approve, "*"), (deny, "+")):
        child.add_argument("device", nargs=count, metavar="ID", help="Device ID, as listed by `edgefleet token requests`")
    for child in (listing, approve, deny):
        add_server_arguments(child)


def run(client: Client, arguments: argparse.Namespace) -> int:
    """List the requests, or decide them; exit code 1 if one could not be decided.

    Raises:
        EdgefleetError: the text says what to do.
    """
    items = client.identity.list_enrolment_requests()["items"]
    if arguments.action == "requests":
        return _list([{**item} for item in items], as_json=arguments.json)
    approve = arguments.action == "approve"
    devices: list[str] = list(dict.fromkeys(arguments.device))
    if approve and arguments.all:
        if devices:
            raise InputError("--all and device IDs exclude each other; omit one")
        devices = [item["device"] for item in items if item["state"] == "waiting"]
    elif not devices:
        raise InputError("specify the devices, or --all; `edgefleet token requests` lists them")
    keys = {item["device"]: item["key_sha256"] for item in items}
    done = 0
    refused: dict[str, str] = {}
    for first in range(0, len(devices), DECIDED_AT_ONCE):
        part = devices[first : first + DECIDED_AT_ONCE]
        answer = client.identity.decide_enrolment_requests(
            {"approve": approve, "devices": [{"device": device, "key_sha256": keys.get(device, "")} for device in part]}
        )
        done += answer["done"]
        refused |= answer["refused"]
    if arguments.json:
        print_json({"done": done, "refused": refused})
    else:
        for device, why in refused.items():
            print(f"{device}: {why}", file=sys.stderr)
        verb = "approved; enrolled when they ask again, within half a minute" if approve else "denied"
        print(f"{done:,} device{'s' * (done != 1)} {verb}")
    return 1 if refused else 0


def _list(items: list[dict[str, Any]], *, as_json: bool) -> int:
    if as_json:
        print_json({"items": items})
        return 0
    now = time.time()
    rows = [
        [item["device"], item["key_sha256"][:KEY_CHARS], item["token"], item["state"], f"{span(now - item['requested_at'])} ago"]
        for item in items
    ]
    print_table(("DEVICE", "KEY", "TOKEN", "STATE", "ASKED"), rows)
    return 0
