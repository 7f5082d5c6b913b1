"""`edgefleet rollout create | list | show | watch | why | templates | approve | skip`, and `start | pause | resume | abort |
rollback`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from typing import Any, Final, cast

from edgefleet_client.schemas.core import AttemptRow
from edgefleet_client.schemas.rollout_requests import ApproveRequest, PreviewRequest, RolloutRequest, SkipRequest
from edgefleet_client.schemas.rollouts import AgentUpdate, Preview, Rollout
from edgefleet_contract.core.command_line import add_command, finite, seconds
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_server.cli import follow
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.parsers import REPEATABLE, add_selector_arguments, package_of
from edgefleet_server.cli.rollouts import plan_options as plans
from edgefleet_server.core import rollout_defaults as defaults

STEERING: Final = {
    "start": "Start a draft",
    "pause": "Pause a rollout; updates in progress finish",
    "resume": "Resume a paused rollout and accept its failures",
    "abort": "Stop a rollout; updated devices keep the version",
    "rollback": "Stop a rollout and restore the previous version on all its devices",
}

DONE: Final = ("committed", "already_installed")
NOT_TRIED: Final = ("untried", "unproven")
WHY_PAGE: Final = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = add_command(
        commands,
        "create",
        "Roll out a version in waves",
        "edgefleet rollout create conveyor_inspector@1.1.0 --waves 1,25%,rest --watch",
    )
    add_create_arguments(create, "package", "NAME@VERSION|CHANNEL")
    create.add_argument("--slot", default="detector", help="Slot of the package on the device (default: %(default)s)")
    listing = add_command(
        commands, "list", "List rollouts, newest first", "edgefleet rollout list --state running --state paused"
    )
    listing.add_argument("--state", action="append", help=f"Only rollouts in this state {REPEATABLE}")
    reading = {
        "show": "Show a rollout, its waves and its timeline",
        "watch": f"Follow a rollout until it ends or pauses; {follow.EXIT_CODES}",
        "why": "List devices without the new version or not tried on frames, and the reasons",
    }
    changing = {**STEERING, "approve": "Approve a wave, or a rollout as the second person"}
    of_one = {
        name: add_command(commands, name, summary, f"edgefleet rollout {name} 12")
        for name, summary in {**reading, **changing}.items()
    }
    of_one["skip"] = add_command(commands, "skip", "Skip a wave; its devices are not updated", "edgefleet rollout skip 12 1")
    for child in of_one.values():
        child.add_argument("rollout", type=int, help="Rollout ID, as listed by `edgefleet rollout list`")
    of_one["skip"].add_argument("wave", type=int, help="Index of the wave, from 0")
    of_one["approve"].add_argument(
        "--wave", type=int, metavar="INDEX", help="Index of the wave, from 0 (default: the whole rollout)"
    )
    for name in (*changing, "skip"):
        of_one[name].add_argument("--reason", default="", help="Reason, shown in the timeline")
    templates = add_command(commands, "templates", "List the built-in templates")
    for child in (create, listing, *of_one.values(), templates):
        add_server_arguments(child)


def add_create_arguments(create: argparse.ArgumentParser, what: str, metavar: str) -> None:
    """Add the options for devices, waves, terms and gates. `what`: the name of the argument for the package."""
    create.add_argument(what, metavar=metavar, help="Version to roll out")
    create.add_argument("--template", metavar="NAME", help="Template, as listed by `edgefleet rollout templates`")
    create.add_argument("--name", help="Rollout name (default: NAME VERSION)")
    create.add_argument(
        "--shadow", action="store_true", help="Run the version beside the one in the slot, on the same frames and without effect"
    )
    create.add_argument(
        "--bundle",
        action="append",
        metavar="NAME@VERSION:SLOT",
        help="Further package, installed together with the first or not at all; for a"
        f" pipeline: pipeline-NAME@VERSION {REPEATABLE}",
    )
    create.add_argument("--draft", action="store_true", help="Create the rollout without starting it")
    create.add_argument("--dry-run", action="store_true", help="Print a preview without creating the rollout")
    create.add_argument("--watch", action="store_true", help=f"Follow the rollout until it ends or pauses; {follow.EXIT_CODES}")
    add_selector_arguments(create)
    waves = create.add_argument_group("waves")
    waves.add_argument(
        "--waves",
        help=f"Sizes in percent or devices, and rest at the end; ! requires approval (default: {plans.WAVES_HELP})",
    )
    waves.add_argument(
        "--soak-s",
        type=seconds(0, 604_800),
        metavar="S",
        help=f"Soak time after each wave in seconds (default: {defaults.SOAK_S:g})",
    )
    waves.add_argument(
        "--wave-timeout",
        type=seconds(1, 2_592_000),
        default=defaults.WAVE_TIMEOUT_S,
        metavar="S",
        help="Timeout of a wave in seconds (default: %(default)g)",
    )
    waves.add_argument(
        "--trial", type=seconds(0, 86_400), metavar="S", help=f"Trial on each device in seconds (default: {defaults.TRIAL_S:g})"
    )
    waves.add_argument(
        "--shadow-s",
        type=seconds(0, 86_400),
        metavar="S",
        help="On devices of the first wave, seconds for which the version runs beside theirs before its trial, where memory"
        f" allows; 0: not at all (default: {defaults.SHADOW_S:g}, or that of the template)",
    )
    gate = create.add_argument_group("gates")
    gate.add_argument(
        "--error-percent-max",
        type=finite,
        metavar="PERCENT",
        help=f"Failure rate in %% over which devices start in small steps (default: {defaults.ERROR_PERCENT_MAX:g})",
    )
    gate.add_argument(
        "--test",
        choices=("both", "sequential", "threshold"),
        help="What stops the rollout: sequential = a test over all its devices; threshold = the failure rate of a wave; both ="
        f" the test, with small steps over the failure rate (default: {defaults.TEST})",
    )
    gate.add_argument(
        "--tolerated",
        type=finite,
        metavar="PERCENT",
        help="Failure rate in %% of a good version (default: that of --error-percent-max, with both at most"
        f" {defaults.TOLERATED_PERCENT:g})",
    )
    gate.add_argument(
        "--confidence",
        type=finite,
        metavar="PERCENT",
        help=f"Share of good versions in %% that the test does not stop (default: {defaults.CONFIDENCE_PERCENT:g})",
    )
    gate.add_argument(
        "--reported-min", type=int, metavar="N", help=f"Minimum number of reported devices (default: {defaults.REPORTED_MIN})"
    )
    gate.add_argument(
        "--offline-s",
        type=seconds(1, 86_400),
        metavar="S",
        help=f"Time offline after the update that counts as failure, in seconds (default: {defaults.OFFLINE_S:g})",
    )
    gate.add_argument("--frames", action="store_true", help="Count a device only if its model analyzed frames in the trial")
    gate.add_argument(
        "--regressions",
        action=argparse.BooleanOptionalAction,
        help="Count devices that perform worse than before as failed (default: yes, or that of the template)",
    )
    gate.add_argument(
        "--agreement-min", type=finite, metavar="PERCENT",
        help="Minimum agreement of a shadow version with the running one in %%; devices below it count as failed",
    )  # fmt: skip
    plans.add_term_arguments(create)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    client = Client(arguments.server)
    if arguments.action in STEERING:
        known = client.rollouts
        steer = {
            "start": known.start_rollout,
            "pause": known.pause_rollout,
            "resume": known.resume_rollout,
            "abort": known.abort_rollout,
            "rollback": known.rollback_rollout,
        }
        answer = steer[arguments.action](arguments.rollout, {"reason": arguments.reason})
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
    package, version = package_of(arguments.package)
    if not arguments.follow:  # it may name devices that come later
        check_devices(client, arguments.device or ())
    plan = plans.plan_of(client, arguments, package, version)
    if arguments.dry_run:
        return _preview(client, plan, arguments.json)
    more = {"name": arguments.name or f"{package} {version}", "priority": arguments.priority, "start": not arguments.draft}
    body = cast("RolloutRequest", {**plan, **more, "wave_timeout_s": arguments.wave_timeout})
    _, answer = client.rollouts.create_rollout(body)
    if not arguments.json:
        _note(answer)
    return print_or_follow(client, answer, watch_it=arguments.watch, as_json=arguments.json)


def check_devices(client: Client, named: Iterable[str]) -> None:
    """Check that the devices exist whose names were typed: a selector may match none, a name with a slip does nothing.

    Raises:
        NotFoundError: one does not.
    """
    for device in named:
        client.devices.get_device(device)


def print_or_follow(client: Client, answer: Rollout, *, watch_it: bool, as_json: bool) -> int:
    """Print a new rollout, or follow it to its end."""
    return follow.follow(client, answer["id"], as_json=as_json) if watch_it else _print_rollout(answer, as_json)


def _preview(client: Client, plan: dict[str, Any], as_json: bool) -> int:
    answer = client.rollouts.preview_rollout(cast("PreviewRequest", plan))
    if as_json:
        print_json(answer)
        return 0
    print(
        f"{answer['eligible']} devices will be updated, {answer['offline']} of them offline;"
        f" {answer['already']} already run the version"
    )
    if answer["eligible"]:
        _print_forecast(answer)
        for rule in answer["rules"]:
            print(f"gate: {rule}")
        _note(answer)
    else:
        print(f"nothing to do: {_why_nothing(answer)}")
    begin, end = ("\x1b[31m", "\x1b[0m") if sys.stdout.isatty() else ("", "")
    for warning in answer.get("warnings", ()):
        print(f"{begin}warning: {warning}{end}")
    if answer["needs_second_person"]:
        print("requires approval by a second person, because of the labels of its devices")
    for each in answer["excluded"][:20]:
        print(f"excluded: {each['device']}: after repeated failures, until {time.ctime(each['excluded_until'])}")
    for item in answer["ineligible"][:20]:
        print(f"incompatible: {item['device']}: {item['reason']}")
    if answer["agent_update"] is not None:
        print(_agent_update(answer["agent_update"]))
    return 0


def _agent_update(update: AgentUpdate) -> str:
    """The sentence about devices that need a newer agent first."""
    needs = f"{update['devices']} device{'' if update['devices'] == 1 else 's'} first need agent {update['needed']} or later"
    if update["package"] is None:
        return f"{needs}; push one: docs/service.md"
    return f"{needs}: edgefleet rollout create {update['package']}@{update['version']} --slot {AGENT_SLOT}"


def _print_forecast(preview: Preview) -> None:
    """Print waves, bytes and times of a rollout that would update devices."""
    print("waves: " + ", ".join(f"{wave['name']} {wave['count']}" for wave in preview["waves"]))
    print(f"download: {preview['bytes_total'] / 1e6:.1f} MB at most")
    forecast = preview["forecast"]
    waves = ", ".join(f"{wave['name']} {span(wave['p50_s'])}" for wave in forecast["waves"])
    print(f"forecast: {span(forecast['total_p50_s'])}, p95 {span(forecast['total_p95_s'])} ({waves})")
    basis = f"{forecast['based_on']} earlier updates" if forecast["based_on"] else "trial time and download size only"
    print(f"updated within 24 h: {forecast['reached_24h_percent']:.0f} % of the devices, estimated from {basis}")


def _why_nothing(preview: Preview) -> str:
    if preview["ineligible"]:
        return f"no {'other ' if preview['already'] else ''}selected device can run it:"
    if preview["already"]:
        return "all selected devices already run it"
    return "the selector matches no device; `edgefleet device list` lists the devices"


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.rollouts.list_rollouts(state=arguments.state)
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [
            rollout["id"],
            rollout["name"],
            " + ".join(f"{part['package']}@{part['version']}" for part in rollout["parts"]),
            rollout["state"],
            f"{sum(rollout['counts'].get(state, 0) for state in DONE)}/{rollout['total']}",
            rollout["outcomes"]["failed"],
            f"{span(time.time() - rollout['created_at'])} ago",
            rollout["state_reason"],
        ]
        for rollout in answer["items"]
    ]
    print_table(("ID", "NAME", "MODEL", "STATE", "UPDATED", "FAILED", "CREATED", "REASON"), rows)
    return 0


def _show(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.rollouts.get_rollout(arguments.rollout)
    if arguments.json:
        print_json(answer)
        return 0
    for line in follow.lines(answer, time.time()):
        print(line)
    for item in client.rollouts.get_timeline(arguments.rollout)["items"]:
        print(f"{time.strftime('%H:%M:%S', time.localtime(item['at']))}  {item['text']}")
    return 0


def _why(client: Client, arguments: argparse.Namespace) -> int:
    page = 1
    rows: list[AttemptRow] = []
    while True:
        answer = client.rollouts.list_attempts(arguments.rollout, page=page, size=WHY_PAGE)
        rows += [row for row in answer["items"] if row["state"] not in DONE or row["outcome"] in NOT_TRIED]
        if page * WHY_PAGE >= answer["total"]:
            break
        page += 1
    if arguments.json:
        print_json(rows)
        return 0
    table = [[row["device"], row["wave"], row["number"], row["state"], row["against"] or "", row["explanation"]] for row in rows]
    print_table(("DEVICE", "WAVE", "ATTEMPT", "STATE", "AGAINST", "REASON"), table)
    return 0


def _templates(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.rollouts.list_rollout_templates()
    if arguments.json:
        print_json(answer)
        return 0
    rows = [[item["name"], ", ".join(wave["name"] for wave in item["waves"]), item["title"]] for item in answer["items"]]
    print_table(("NAME", "WAVES", "DESCRIPTION"), rows)
    return 0


def _approve(client: Client, arguments: argparse.Namespace) -> int:
    body: ApproveRequest = {"wave": arguments.wave, "reason": arguments.reason}
    return _print_rollout(client.rollouts.approve_rollout(arguments.rollout, body), arguments.json)


def _skip(client: Client, arguments: argparse.Namespace) -> int:
    body: SkipRequest = {"wave": arguments.wave, "reason": arguments.reason}
    return _print_rollout(client.rollouts.skip_wave(arguments.rollout, body), arguments.json)


def _note(answer: Rollout | Preview) -> None:
    """Print the notes on the packages and the gate."""
    for note in answer.get("notes", ()):
        print(f"note: {note}")


def _print_rollout(rollout: Rollout, as_json: bool) -> int:
    if as_json:
        print_json(rollout)
    else:
        reason = f": {rollout['state_reason']}" if rollout["state_reason"] else ""
        print(f"rollout {rollout['id']} ({rollout['name']}) is {rollout['state']}{reason}")
    return 0
