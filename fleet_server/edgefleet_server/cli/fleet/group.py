"""`edgefleet group list | show | set | delete | do`: named groups of devices, and bulk actions."""

from __future__ import annotations

import argparse
from typing import Any

from edgefleet_server.cli.client import Client, add_server_arguments, pairs, print_json, print_table, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = commands.add_parser("list", help="every group, and how many devices it has now")
    show = commands.add_parser("show", help="the devices of a group, now")
    show.add_argument("name")
    make = commands.add_parser("set", help="make a group, or change it: whoever matches is in it")
    make.add_argument("name")
    make.add_argument("--label", action="append", default=[], metavar="K=V", help="every one must match")
    make.add_argument("--device", action="append", default=[], metavar="ID", help="this one, too")
    make.add_argument("--note", default="")
    delete = commands.add_parser("delete", help="delete a group; its devices stay")
    delete.add_argument("name")
    do = commands.add_parser("do", help="the same for every device of a group: label K=V or K-, release, or a command")
    do.add_argument("name")
    do.add_argument("what", metavar="label|release|OP")
    do.add_argument("args", nargs="*", metavar="K=V")
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
    answer = client.get("/groups")
    if arguments.json:
        print_json(answer)
        return 0
    rows = [[one["name"], one["count"], _words(one["selector"]), one["note"]] for one in answer["items"]]
    print_table(("GROUP", "DEVICES", "WHO", "NOTE"), rows)
    return 0


def _words(selector: dict[str, Any]) -> str:
    if selector["all"]:
        return "all"
    parts = [f"{key}={value}" for key, value in selector["labels"].items()]
    return " ".join(parts + ([f"{len(selector['ids'])} by name"] if selector["ids"] else []))


def _show(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get(f"/groups/{arguments.name}")
    return say(answer, arguments, "\n".join(answer["items"]))


def _set(client: Client, arguments: argparse.Namespace) -> int:
    selector = {"all": False, "ids": arguments.device, "labels": pairs(arguments.label, "label")}
    answer = client.put(f"/groups/{arguments.name}", {"selector": selector, "note": arguments.note})
    return say(answer, arguments, f"{answer['name']}: {answer['count']} devices now")


def _delete(client: Client, arguments: argparse.Namespace) -> int:
    client.delete(f"/groups/{arguments.name}")
    if arguments.json:
        print_json({"deleted": arguments.name})
    return 0


def _do(client: Client, arguments: argparse.Namespace) -> int:
    body: dict[str, Any] = {"group": arguments.name, "action": "command", "op": arguments.what}
    if arguments.what == "label":
        removed = {text[:-1]: None for text in arguments.args if text.endswith("-") and "=" not in text}
        added = pairs([text for text in arguments.args if text[:-1] not in removed], "label")
        body = {"group": arguments.name, "action": "label", "labels": {**added, **removed}}
    elif arguments.what == "release":
        body = {"group": arguments.name, "action": "release"}
    elif arguments.args:
        body["args"] = pairs(arguments.args, "argument")
    answer = client.post("/devices/bulk", body)
    if arguments.json:
        print_json(answer)
        return 0
    print(f"{answer['done']} of {answer['devices']} devices")
    for item in answer["refused"][:20]:
        print(f"not: {item['device']}: {item['reason']}")
    return 0
