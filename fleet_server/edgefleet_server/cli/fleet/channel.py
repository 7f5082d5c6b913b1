"""`edgefleet channel list | set | history | remove`: names of a model that point to a version."""

from __future__ import annotations

import argparse
import time

from edgefleet_client.schemas.models import ChannelRequest
from edgefleet_contract.core.command_line import add_command
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say, span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = add_command(commands, "list", "List channels and their versions", "edgefleet channel list conveyor_inspector")
    listing.add_argument("model", nargs="?", help="Model name (default: all models)")
    point = add_command(
        commands,
        "set",
        "Point a channel to a version, for new rollouts",
        "edgefleet channel set conveyor_inspector stable 1.1.0",
    )
    point.add_argument("model", help="Model name")
    point.add_argument("channel", help="Channel name, for example stable or beta")
    point.add_argument("version", help="Version")
    point.add_argument("--note", default="", metavar="TEXT", help="Reason for the change")
    history = add_command(
        commands, "history", "Show the changes of a channel", "edgefleet channel history conveyor_inspector stable"
    )
    remove = add_command(
        commands,
        "remove",
        "Remove a channel; its history is kept",
        "edgefleet channel remove conveyor_inspector beta",
    )
    for child in (history, remove):
        child.add_argument("model", help="Model name")
        child.add_argument("channel", help="Channel name")
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
    answer = {"items": list(client.models.iterate_channels(model=arguments.model))}
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [one["model"], one["channel"], one["version"], f"{_ago(one['changed_at'])}", one["changed_by"] or "-", one["note"]]
        for one in answer["items"]
    ]
    print_table(("MODEL", "CHANNEL", "VERSION", "CHANGED", "BY", "NOTE"), rows)
    return 0


def _set(client: Client, arguments: argparse.Namespace) -> int:
    body: ChannelRequest = {"version": arguments.version, "note": arguments.note}
    answer = client.models.set_channel(arguments.model, arguments.channel, body)
    return say(
        answer,
        arguments,
        f"{arguments.model}@{arguments.channel} points to {answer['version']}; existing rollouts do not change",
    )


def _history(client: Client, arguments: argparse.Namespace) -> int:
    answer = {"items": list(client.models.iterate_channel_history(arguments.model, arguments.channel))}
    if arguments.json:
        print_json(answer)
        return 0
    rows = [[_ago(one["at"]), one["before"] or "-", one["version"] or "removed", one["by"] or "-", one["note"]]
            for one in answer["items"]]  # fmt: skip
    print_table(("CHANGED", "PREVIOUS", "VERSION", "BY", "NOTE"), rows)
    return 0


def _remove(client: Client, arguments: argparse.Namespace) -> int:
    client.models.remove_channel(arguments.model, arguments.channel)
    if arguments.json:
        print_json({"model": arguments.model, "channel": arguments.channel})
    else:
        print(f"channel {arguments.channel} of {arguments.model} removed")
    return 0


def _ago(at: float) -> str:
    return f"{span(time.time() - at)} ago"
