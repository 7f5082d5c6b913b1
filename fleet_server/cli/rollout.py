"""`edgefleet rollout create | list | show | watch | start | pause | resume | abort | rollback`."""

from __future__ import annotations

import argparse
import time
from typing import Any, Final

from fleet_server.cli import watch
from fleet_server.cli.client import Client, add_server_arguments, pairs, print_json, print_table, span
from fleet_server.errors import InputError

STEERING: Final = {
    "start": "begin a draft",
    "pause": "offer to no further device; those on their way finish",
    "resume": "go on; failures so far are accepted",
    "abort": "stop; devices that have the version keep it",
    "rollback": "stop, and bring every device back to what it ran before",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = commands.add_parser("create", help="roll a version out in waves")
    _add_create_arguments(create)
    listing = commands.add_parser("list", help="rollouts, newest first")
    listing.add_argument("--state", action="append", help="may be given more than once")
    children = [create, listing]
    for name, summary in {
        "show": "one rollout, its waves and what happened",
        "watch": "follow a rollout until it ends or pauses",
    }.items():
        child = commands.add_parser(name, help=summary)
        child.add_argument("rollout", type=int)
        children.append(child)
    for name, summary in STEERING.items():
        child = commands.add_parser(name, help=summary)
        child.add_argument("rollout", type=int)
        child.add_argument("--reason", default="", help="for the timeline")
        children.append(child)
    for child in children:
        add_server_arguments(child)


def _add_create_arguments(create: argparse.ArgumentParser) -> None:
    create.add_argument("package", metavar="NAME@VERSION")
    create.add_argument("--name", help="what to call it (default: NAME VERSION)")
    create.add_argument("--slot", default="detector", help="where the model goes on the device (default: %(default)s)")
    who = create.add_argument_group("which devices (default: all)")
    who.add_argument("--device", action="append", metavar="ID", help="may be given more than once")
    who.add_argument("--label", action="append", metavar="K=V", help="every one must match")
    create.add_argument(
        "--waves",
        default="5%,25%,rest",
        help="sizes, in percent or devices; the last takes the rest (default: %(default)s)".replace("%,", "%%,"),
    )
    gate = create.add_argument_group("when to stop")
    gate.add_argument(
        "--error-max", type=float, default=10.0, metavar="PERCENT", help="failures over reported devices (default: %(default)s)"
    )
    gate.add_argument(
        "--reported-min", type=int, default=3, metavar="N", help="devices that must have reported (default: %(default)s)"
    )
    gate.add_argument("--offline", type=float, default=120.0, metavar="S", help="away for so long after the update = failed")
    gate.add_argument("--soak", type=float, default=10.0, metavar="S", help="watch a finished wave for so long before the next")
    gate.add_argument("--wave-timeout", type=float, default=3600.0, metavar="S")
    create.add_argument(
        "--trial", type=float, default=20.0, metavar="S", help="how long a device tries the model (default: %(default)s)"
    )
    create.add_argument("--draft", action="store_true", help="do not start it yet")
    create.add_argument("--dry-run", action="store_true", help="say what would happen, and do nothing")
    create.add_argument("--watch", action="store_true", help="follow it until it ends or pauses")


def run(arguments: argparse.Namespace) -> int:
    """Do it.

    Raises:
        EdgefleetError: the text says what to do.
    """
    client = Client(arguments.server)
    if arguments.action in STEERING:
        answer = client.post(f"/rollouts/{arguments.rollout}/{arguments.action}", {"reason": arguments.reason})
        return _tell(answer, arguments.json)
    if arguments.action == "watch":
        return watch.follow(client, arguments.rollout, as_json=arguments.json)
    actions = {"create": _create, "list": _list, "show": _show}
    return actions[arguments.action](client, arguments)


def waves_of(text: str) -> list[dict[str, Any]]:
    """Read `5%,20,rest`: names are made from the sizes.

    Raises:
        InputError: a part is not a size.
    """
    parts = [part.strip() for part in text.split(",")]
    waves: list[dict[str, Any]] = []
    for index, part in enumerate(parts):
        name = "canary" if index == 0 and len(parts) > 1 else f"wave {index + 1} ({part})"
        if index == len(parts) - 1:
            waves.append({"name": "rest" if len(parts) > 1 else "all"})
        elif part.endswith("%") and part[:-1].replace(".", "", 1).isdigit():
            waves.append({"name": name, "percent": float(part[:-1])})
        elif part.isdigit():
            waves.append({"name": name, "count": int(part)})
        else:
            raise InputError(f"--waves {text!r}: {part!r} is neither a percentage nor a number; write for example 5%,20,rest")
    return waves


def _create(client: Client, arguments: argparse.Namespace) -> int:
    package, at, version = arguments.package.partition("@")
    if not at:
        raise InputError(f"{arguments.package!r}: write NAME@VERSION; `edgefleet model list` shows what there is")
    labels = pairs(arguments.label or [], "label")
    everyone = not (arguments.device or labels)
    plan = {
        "package": package,
        "version": version,
        "slot": arguments.slot,
        "selector": {"all": everyone, "ids": arguments.device or [], "labels": labels},
        "waves": waves_of(arguments.waves),
    }
    if arguments.dry_run:
        return _preview(client, plan, arguments.json)
    answer = client.post(
        "/rollouts",
        {
            **plan,
            "name": arguments.name or f"{package} {version}",
            "gate": {
                "error_percent_max": arguments.error_max,
                "reported_min": arguments.reported_min,
                "offline_s": arguments.offline,
                "soak_s": arguments.soak,
            },
            "policy": {"trial_s": arguments.trial},
            "wave_timeout_s": arguments.wave_timeout,
            "start": not arguments.draft,
        },
    )
    if arguments.watch:
        return watch.follow(client, answer["id"], as_json=arguments.json)
    return _tell(answer, arguments.json)


def _preview(client: Client, plan: dict[str, Any], as_json: bool) -> int:
    answer = client.post("/rollouts/preview", plan)
    if as_json:
        print_json(answer)
        return 0
    print(
        f"{answer['eligible']} devices would be updated, {answer['offline']} of them away;"
        f" {answer['already']} run the version already"
    )
    print("waves: " + ", ".join(f"{wave['name']} {wave['count']}" for wave in answer["waves"]))
    print(f"to send: {answer['bytes_total'] / 1e6:.1f} MB at most")
    for item in answer["ineligible"][:20]:
        print(f"cannot: {item['device']}: {item['reason']}")
    return 0


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get("/rollouts", state=arguments.state)
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [
            rollout["id"],
            rollout["name"],
            f"{rollout['package']}@{rollout['version']}",
            rollout["state"],
            f"{rollout['counts'].get('committed', 0)}/{rollout['total']}",
            f"{span(time.time() - rollout['created_at'])} ago",
            rollout["state_reason"],
        ]
        for rollout in answer["items"]
    ]
    print_table(("ID", "NAME", "MODEL", "STATE", "DONE", "CREATED", "WHY"), rows)
    return 0


def _show(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get(f"/rollouts/{arguments.rollout}")
    if arguments.json:
        print_json(answer)
        return 0
    for line in watch.lines(answer):
        print(line)
    for item in client.get(f"/rollouts/{arguments.rollout}/timeline")["items"]:
        print(f"{time.strftime('%H:%M:%S', time.localtime(item['at']))}  {item['text']}")
    return 0


def _tell(rollout: dict[str, Any], as_json: bool) -> int:
    if as_json:
        print_json(rollout)
    else:
        reason = f": {rollout['state_reason']}" if rollout["state_reason"] else ""
        print(f"rollout {rollout['id']} ({rollout['name']}) is {rollout['state']}{reason}")
    return 0
