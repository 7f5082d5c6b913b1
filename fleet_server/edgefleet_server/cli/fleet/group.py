"""`edgefleet group list | show | set | delete | do`: named groups of devices, and bulk actions."""

from __future__ import annotations

import argparse

from edgefleet_client.schemas.core import Selector
from edgefleet_client.schemas.devices import BulkRequest
from edgefleet_contract.core.command_line import add_command
from edgefleet_server.cli.client import Client, add_server_arguments, pairs, print_json, print_table, print_warnings, say
from edgefleet_server.cli.parsers import REPEATABLE, add_query_argument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = add_command(commands, "list", "List groups and their number of devices")
    show = add_command(commands, "show", "List the devices of a group", "edgefleet group show lyon")
    make = add_command(
        commands,
        "set",
        "Create a group, or replace its labels, query and devices",
        "edgefleet group set lyon --label site=lyon --device line-7",
    )
    make.add_argument(
        "--label", action="append", default=[], metavar="K=V", help=f"Label of the devices; all must match {REPEATABLE}"
    )
    make.add_argument(
        "--device", action="append", default=[], metavar="ID", help=f"Device to add, whatever its labels {REPEATABLE}"
    )
    add_query_argument(make)
    make.add_argument("--note", help="Description (default: kept)")
    delete = add_command(commands, "delete", "Delete a group; its devices are kept", "edgefleet group delete lyon")
    do = add_command(commands, "do", "Run an action on every device of a group", "edgefleet group do lyon label shift=night")
    for child in (show, make, delete, do):
        child.add_argument("name", help="Group name")
    do.add_argument("what", metavar="label|release|OP", help="Action: change labels, release excluded devices, or send a command")
    do.add_argument("args", nargs="*", metavar="K=V", help="Label to set (K- to remove), or argument of the command")
    for child in (listing, show, make, delete, do):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    client = Client(arguments.server)
    actions = {"list": _list, "show": _show, "set": _set, "delete": _delete, "do": _do}
    return actions[arguments.action](client, arguments)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = {"items": list(client.devices.iterate_groups())}
    if arguments.json:
        print_json(answer)
        return 0
    rows = [[one["name"], one["count"], _words(one["selector"]), one["note"]] for one in answer["items"]]
    print_table(("GROUP", "DEVICES", "SELECTOR", "NOTE"), rows)
    return 0


def _words(selector: Selector) -> str:
    if selector["all"]:
        return "all"
    parts = [f"{key}={value}" for key, value in selector["labels"].items()]
    query = selector.get("query")
    return " ".join(parts + ([query] if query else []) + ([f"{len(selector['ids'])} IDs"] if selector["ids"] else []))


def _show(client: Client, arguments: argparse.Namespace) -> int:
    answer = {"items": list(client.devices.iterate_group_members(arguments.name))}
    return say(answer, arguments, "\n".join(answer["items"]))


def _set(client: Client, arguments: argparse.Namespace) -> int:
    selector: Selector = {"all": False, "ids": arguments.device, "labels": pairs(arguments.label, "label")}
    if arguments.query:
        selector["query"] = arguments.query
    before = next((group for group in client.devices.iterate_groups() if group["name"] == arguments.name), None)
    note = arguments.note if arguments.note is not None else before["note"] if before else ""
    answer = client.devices.put_group(arguments.name, {"selector": selector, "note": note})
    replaced = f"; replaced {_words(before['selector'])}" if before and before["selector"] != answer["selector"] else ""
    print_warnings(answer.get("warnings", ()))
    return say(answer, arguments, f"{answer['name']}: {answer['count']} devices{replaced}")


def _delete(client: Client, arguments: argparse.Namespace) -> int:
    client.devices.delete_group(arguments.name)
    if arguments.json:
        print_json({"deleted": arguments.name})
    return 0


def _do(client: Client, arguments: argparse.Namespace) -> int:
    body: BulkRequest = {"group": arguments.name, "action": "command", "op": arguments.what}
    if arguments.what == "label":
        removed = {text[:-1]: None for text in arguments.args if text.endswith("-") and "=" not in text}
        added = pairs([text for text in arguments.args if text[:-1] not in removed], "label")
        body = {"group": arguments.name, "action": "label", "labels": {**added, **removed}}
    elif arguments.what == "release":
        body = {"group": arguments.name, "action": "release"}
    elif arguments.args:
        body["args"] = pairs(arguments.args, "argument")
    answer = client.devices.bulk_devices(body)
    if arguments.json:
        print_json(answer)
        return 0
    print(f"done on {answer['done']} of {answer['devices']} devices")
    for item in answer["refused"][:20]:
        print(f"refused: {item['device']}: {item['reason']}")
    return 0
