"""`edgefleet channel list | set | history | remove`: names of a model that point to a version."""

from __future__ import annotations

import argparse
import time

from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say, span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = commands.add_parser("list", help="channels and where they point")
    listing.add_argument("model", nargs="?")
    point = commands.add_parser("set", help="let a channel point to a version; rollouts made from now on mean that")
    point.add_argument("model")
    point.add_argument("channel", help="stable, beta, …")
    point.add_argument("version")
    point.add_argument("--note", default="", metavar="TEXT", help="why")
    history = commands.add_parser("history", help="where a channel pointed, and who moved it")
    history.add_argument("model")
    history.add_argument("channel")
    remove = commands.add_parser("remove", help="take a channel away; its history stays")
    remove.add_argument("model")
    remove.add_argument("channel")
    for child in (listing, point, history, remove):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    actions = {"list": _list, "set": _set, "history": _history, "remove": _remove}
    with Client(arguments.server) as client:
        return actions[arguments.action](client, arguments)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get("/channels", model=arguments.model)
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [one["model"], one["channel"], one["version"], f"{_ago(one['changed_at'])}", one["changed_by"] or "-", one["note"]]
        for one in answer["items"]
    ]
    print_table(("MODEL", "CHANNEL", "VERSION", "SINCE", "BY", "NOTE"), rows)
    return 0


def _set(client: Client, arguments: argparse.Namespace) -> int:
    body = {"version": arguments.version, "note": arguments.note}
    answer = client.put(f"/channels/{arguments.model}/{arguments.channel}", body)
    return say(
        answer,
        arguments,
        f"{arguments.model}@{arguments.channel} is {answer['version']} now; rollouts that are there stay as they are",
    )


def _history(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get(f"/channels/{arguments.model}/{arguments.channel}/history")
    if arguments.json:
        print_json(answer)
        return 0
    rows = [[_ago(one["at"]), one["before"] or "-", one["version"] or "removed", one["by"] or "-", one["note"]]
            for one in answer["items"]]  # fmt: skip
    print_table(("WHEN", "BEFORE", "VERSION", "BY", "NOTE"), rows)
    return 0


def _remove(client: Client, arguments: argparse.Namespace) -> int:
    client.delete(f"/channels/{arguments.model}/{arguments.channel}")
    if arguments.json:
        print_json({"model": arguments.model, "channel": arguments.channel})
    else:
        print(f"{arguments.model} has no channel {arguments.channel} any more")
    return 0


def _ago(at: float) -> str:
    return f"{span(time.time() - at)} ago"
