"""`edgefleet component find | list`: which devices have or run a component, since when."""

from __future__ import annotations

import argparse
import time
from datetime import datetime, timezone

from edgefleet_client.schemas.fleet import ComponentCoverage, ComponentDetail, ComponentDevice
from edgefleet_contract.core.command_line import add_command
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, print_warnings, span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    find = add_command(
        commands,
        "find",
        "List the devices that have or run a component, since when",
        'edgefleet component find openssl --version "<3.0.7"',
    )
    find.add_argument("name", help="Library, model package, python, linux, or a system such as debian")
    find.add_argument("--version", default="", metavar="SPEC", help='Version, or specifiers such as "<3.0.7" (default: all)')
    find.add_argument("--ended", action="store_true", help="Devices that had it before, too")
    listing = add_command(
        commands, "list", "List components and versions with their number of devices", "edgefleet component list"
    )
    listing.add_argument("text", nargs="?", default="", help="Only names that contain this text")
    for child in (find, listing):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    with Client(arguments.server) as client:
        return _find(client, arguments) if arguments.action == "find" else _list(client, arguments)


def _find(client: Client, arguments: argparse.Namespace) -> int:
    def page(after: str) -> ComponentDetail:
        return client.fleet.list_component_devices(
            arguments.name.lower(), version=arguments.version, ended=arguments.ended, after=after, limit=1000
        )

    answer = page("")
    items, following = list(answer["items"]), answer["next_after"]
    while following:
        more = page(following)
        items, following = [*items, *more["items"]], more["next_after"]
    if arguments.json:
        print_json({**answer, "items": items, "next_after": None})
        return 0
    now = time.time()
    print_table(("DEVICE", "KIND", "VERSION", "USE", "SINCE", "UNTIL"), [_row(item, now) for item in items])
    on_server = [f"{each['version']} ({each['kind']})" for each in answer["versions"] if each["on_server"]]
    if on_server:
        print(f"this server has {', '.join(on_server)}")
    _warn(answer["coverage"], answer["uncompared"])
    return 0


def _row(item: ComponentDevice, now: float) -> list[object]:
    since = f"{_day(item['since_at'])} ({span(now - item['since_at'])})"
    until = "" if item["current"] else _day(item["until_at"]) if item["until_at"] else "ended, time unknown"
    kind = f"{item['kind']} in {item['slot']}" if item["slot"] else item["kind"]
    return [item["device"], kind, item["version"], item["use"], since, until]


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, timezone.utc).strftime("%Y-%m-%d %H:%M")


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.fleet.list_components(text=arguments.text)
    items, following = list(answer["items"]), answer["next_after"]
    while following:
        more = client.fleet.list_components(text=arguments.text, after=following)
        items, following = [*items, *more["items"]], more["next_after"]
    if arguments.json:
        print_json({**answer, "items": items, "next_after": None})
        return 0
    rows = [(each["name"], each["version"], each["kind"], each["devices"], "yes" if each["on_server"] else "") for each in items]
    print_table(("NAME", "VERSION", "KIND", "DEVICES", "SERVER"), rows)
    _warn(answer["coverage"], [])
    return 0


def _warn(coverage: ComponentCoverage, uncompared: list[str]) -> None:
    """Print warnings about what the answer leaves open."""
    texts = []
    if coverage["unknown"]:
        texts.append(f"{coverage['unknown']} of {coverage['devices']} devices have not reported what is installed on them")
    if coverage["incomplete"]:
        texts.append(f"{coverage['incomplete']} devices have more installed than they report")
    if uncompared:
        texts.append(f"versions that cannot be compared: {', '.join(uncompared)}")
    print_warnings(texts)
