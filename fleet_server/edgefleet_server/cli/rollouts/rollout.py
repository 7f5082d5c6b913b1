"""`edgefleet rollout create | list | show | watch | why | templates | approve | skip`, and `start | pause | resume | abort |
rollback`."""

from __future__ import annotations

import argparse
import time
from typing import Any, Final

from edgefleet_server.cli import follow
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.rollouts import plan_options as plans

STEERING: Final = {
    "start": "begin a draft",
    "pause": "offer to no further device; those on their way finish",
    "resume": "go on; failures so far are accepted",
    "abort": "stop; devices that have the version keep it",
    "rollback": "stop, and bring every device back to what it ran before",
}

DONE: Final = ("committed", "already_installed")
WHY_PAGE: Final = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = commands.add_parser("create", help="roll a version out in waves")
    add_create_arguments(create, "package", "NAME@VERSION|CHANNEL")
    create.add_argument("--slot", default="detector", help="where the model goes on the device (default: %(default)s)")
    listing = commands.add_parser("list", help="rollouts, newest first")
    listing.add_argument("--state", action="append", help="may be given more than once")
    children = [create, listing]
    for name, summary in {
        "show": "one rollout, its waves and what happened",
        "watch": f"follow a rollout until it ends or pauses; {follow.EXIT_CODES}",
        "why": "why each device is not done",
    }.items():
        child = commands.add_parser(name, help=summary)
        child.add_argument("rollout", type=int)
        children.append(child)
    templates = commands.add_parser("templates", help="plans that come with the product")
    approve = commands.add_parser("approve", help="let a wave begin, or a rollout as its second person")
    approve.add_argument("rollout", type=int)
    approve.add_argument("--wave", type=int, metavar="INDEX", help="the wave, from 0 (default: the rollout itself)")
    approve.add_argument("--reason", default="", help="for the timeline")
    skip = commands.add_parser("skip", help="leave a wave out: its devices keep what they run, the next wave begins")
    skip.add_argument("rollout", type=int)
    skip.add_argument("wave", type=int, help="its index, from 0; `edgefleet rollout show` has them")
    skip.add_argument("--reason", default="", help="for the timeline")
    children += [templates, approve, skip]
    for name, summary in STEERING.items():
        child = commands.add_parser(name, help=summary)
        child.add_argument("rollout", type=int)
        child.add_argument("--reason", default="", help="for the timeline")
        children.append(child)
    for child in children:
        add_server_arguments(child)


def add_create_arguments(create: argparse.ArgumentParser, what: str, metavar: str) -> None:
    """Add the options for devices, waves, terms and gates. `what`: the name of the argument for the package."""
    create.add_argument(what, metavar=metavar)
    create.add_argument("--template", metavar="NAME", help="a plan that comes with the product; `edgefleet rollout templates`")
    create.add_argument("--name", help="what to call it (default: NAME VERSION)")
    create.add_argument(
        "--shadow", action="store_true", help="beside what runs in the slot: it is shown the same frames and changes nothing"
    )
    create.add_argument(
        "--bundle",
        action="append",
        metavar="NAME@VERSION:SLOT",
        help="a package more, all or none; may be given more than once (a pipeline: pipeline-NAME@VERSION)",
    )
    who = create.add_argument_group("which devices (default: all)")
    who.add_argument("--device", action="append", metavar="ID", help="may be given more than once")
    who.add_argument("--group", help="a group; `edgefleet group list` shows them")
    who.add_argument("--label", action="append", metavar="K=V", help="every one must match")
    create.add_argument(
        "--waves",
        help="sizes, in percent or devices; the last takes the rest; a ! asks for approval (default: 5%%,25%%,rest)",
    )
    gate = create.add_argument_group("when to stop")
    gate.add_argument("--error-percent-max", type=float, metavar="PERCENT", help="failures over reported devices (default: 10)")
    gate.add_argument("--reported-min", type=int, metavar="N", help="devices that must have reported (default: 3)")
    gate.add_argument(
        "--offline-s", type=float, metavar="S", help="offline for this time after the update = failed (default: 120)"
    )
    gate.add_argument("--soak-s", type=float, metavar="S", help="time to watch a finished wave before the next (default: 10)")
    gate.add_argument("--regressions", action="store_true", help="a device that does worse than before has failed, too")
    gate.add_argument(
        "--agreement-min", type=float, metavar="PERCENT", help="a candidate (--shadow) that agrees less with what runs has failed"
    )
    gate.add_argument("--wave-timeout", type=float, default=3600.0, metavar="S")
    create.add_argument("--trial", type=float, metavar="S", help="how long a device tries the model (default: 20)")
    plans.add_term_arguments(create)
    create.add_argument("--draft", action="store_true", help="do not start it yet")
    create.add_argument("--dry-run", action="store_true", help="say what would happen, and do nothing")
    create.add_argument("--watch", action="store_true", help=f"follow it until it ends or pauses; {follow.EXIT_CODES}")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    client = Client(arguments.server)
    if arguments.action in STEERING:
        answer = client.post(f"/rollouts/{arguments.rollout}/{arguments.action}", {"reason": arguments.reason})
        return _print_rollout(answer, arguments.json)
    if arguments.action == "watch":
        return follow.follow(client, arguments.rollout, as_json=arguments.json)
    actions = {
        "create": create,
        "list": _list,
        "show": _show,
        "why": _why,
        "templates": _templates,
        "approve": _approve,
        "skip": _skip,
    }
    return actions[arguments.action](client, arguments)


def create(client: Client, arguments: argparse.Namespace) -> int:
    """Create the rollout that the arguments describe.

    Raises:
        EdgefleetError: the text says what to do.
    """
    package, version = plans.package_of(arguments.package)
    plan = plans.plan_of(client, arguments, package, version)
    if arguments.dry_run:
        return _preview(client, plan, arguments.json)
    more = {"name": arguments.name or f"{package} {version}", "priority": arguments.priority, "start": not arguments.draft}
    answer = client.post("/rollouts", {**plan, **more, "wave_timeout_s": arguments.wave_timeout})
    if not arguments.json:
        _note(answer)
    return print_or_follow(client, answer, watch_it=arguments.watch, as_json=arguments.json)


def print_or_follow(client: Client, answer: dict[str, Any], *, watch_it: bool, as_json: bool) -> int:
    """Print a new rollout, or follow it to its end."""
    return follow.follow(client, answer["id"], as_json=as_json) if watch_it else _print_rollout(answer, as_json)


def _preview(client: Client, plan: dict[str, Any], as_json: bool) -> int:
    answer = client.post("/rollouts/preview", plan)
    if as_json:
        print_json(answer)
        return 0
    print(
        f"{answer['eligible']} devices would be updated, {answer['offline']} of them away;"
        f" {answer['already']} run the version already"
    )
    if answer["eligible"]:
        _print_forecast(answer)
        _note(answer)
    else:
        print(f"nothing to do: {_why_nothing(answer)}")
    if answer["needs_second_person"]:
        print("a second person has to approve it: it touches devices that two people decide about")
    for item in answer["excluded"][:20]:
        print(f"waits: {item['device']}: excluded after repeated failures until {time.ctime(item['excluded_until'])}")
    for item in answer["ineligible"][:20]:
        print(f"cannot: {item['device']}: {item['reason']}")
    return 0


def _print_forecast(preview: dict[str, Any]) -> None:
    """Print waves, bytes and times of a rollout that would update devices."""
    print("waves: " + ", ".join(f"{wave['name']} {wave['count']}" for wave in preview["waves"]))
    print(f"to send: {preview['bytes_total'] / 1e6:.1f} MB at most")
    forecast = preview["forecast"]
    waves = ", ".join(f"{wave['name']} {span(wave['p50_s'])}" for wave in forecast["waves"])
    print(f"forecast: {span(forecast['total_p50_s'])}, one in twenty over {span(forecast['total_p95_s'])} ({waves})")
    seen = f"{forecast['based_on']} earlier updates" if forecast["based_on"] else "the trial and the bytes only"
    print(f"done within a day: {forecast['reached_24h_percent']:.0f} % of the devices; from {seen}")


def _why_nothing(preview: dict[str, Any]) -> str:
    if preview["ineligible"]:
        return f"no {'other ' if preview['already'] else ''}device that matches can take it:"
    if preview["already"]:
        return "every device that matches runs it already"
    return "the selector matches no device; `edgefleet device list` shows those that have been here"


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get("/rollouts", state=arguments.state)
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [
            rollout["id"],
            rollout["name"],
            " + ".join(f"{part['package']}@{part['version']}" for part in rollout["parts"]),
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
    for line in follow.lines(answer):
        print(line)
    for item in client.get(f"/rollouts/{arguments.rollout}/timeline")["items"]:
        print(f"{time.strftime('%H:%M:%S', time.localtime(item['at']))}  {item['text']}")
    return 0


def _why(client: Client, arguments: argparse.Namespace) -> int:
    page = 1
    rows: list[dict[str, Any]] = []
    while True:
        answer = client.get(f"/rollouts/{arguments.rollout}/attempts", page=page, size=WHY_PAGE)
        rows += [row for row in answer["items"] if row["state"] not in DONE]
        if page * WHY_PAGE >= answer["total"]:
            break
        page += 1
    if arguments.json:
        print_json(rows)
        return 0
    table = [[row["device"], row["wave"], row["number"], row["state"], row["explanation"]] for row in rows]
    print_table(("DEVICE", "WAVE", "TRY", "STATE", "WHY"), table)
    return 0


def _templates(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get("/rollouts/templates")
    if arguments.json:
        print_json(answer)
        return 0
    rows = [[item["name"], ", ".join(wave["name"] for wave in item["waves"]), item["title"]] for item in answer["items"]]
    print_table(("NAME", "WAVES", "WHAT"), rows)
    return 0


def _approve(client: Client, arguments: argparse.Namespace) -> int:
    body = {"wave": arguments.wave, "reason": arguments.reason}
    return _print_rollout(client.post(f"/rollouts/{arguments.rollout}/approve", body), arguments.json)


def _skip(client: Client, arguments: argparse.Namespace) -> int:
    body = {"wave": arguments.wave, "reason": arguments.reason}
    return _print_rollout(client.post(f"/rollouts/{arguments.rollout}/skip", body), arguments.json)


def _note(answer: dict[str, Any]) -> None:
    """Print the notes on the packages."""
    for note in answer.get("notes", ()):
        print(f"note: {note}")


def _print_rollout(rollout: dict[str, Any], as_json: bool) -> int:
    if as_json:
        print_json(rollout)
    else:
        reason = f": {rollout['state_reason']}" if rollout["state_reason"] else ""
        print(f"rollout {rollout['id']} ({rollout['name']}) is {rollout['state']}{reason}")
    return 0
