"""`edgefleet experiment create | list | show | choose | stop`: comparison of two or more versions on devices."""

from __future__ import annotations

import argparse
from typing import Any, Final

from edgefleet_server.cli.client import Client, add_server_arguments, pairs, print_json, print_table
from edgefleet_server.cli.rollouts.plan_options import package_of, waves_of
from edgefleet_server.core.errors import InputError

TITLES: Final = {
    "latency_p95_ms": "latency p95",
    "dropped_percent": "dropped frames",
    "confidence": "mean confidence",
    "events_per_hour": "events an hour",
    "failures": "updates failed",
}
VERDICTS: Final = {
    "better": "better",
    "worse": "worse",
    "different": "different",
    "no_difference_seen": "no difference seen",
    "too_few": "too few devices",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = commands.add_parser("create", help="give some devices one version and some another")
    create.add_argument("name")
    create.add_argument(
        "--arm",
        action="append",
        required=True,
        metavar="ARM=NAME@VERSION[:SHARE]",
        help="at least two; the first is the one that others are compared with, for example a=spotter@1.0.0 b=spotter@1.1.0:0.5",
    )
    create.add_argument("--slot", default="detector", help="where the model goes on the device (default: %(default)s)")
    create.add_argument(
        "--by-label", metavar="KEY=V,W", help="split by the value of a label, one value for each arm (default: by a stable hash)"
    )
    create.add_argument(
        "--compare", action="append", choices=sorted(TITLES), metavar="FIGURE",
        help=f"look at this figure; may be given more than once (default: all of {', '.join(sorted(TITLES))})",
    )  # fmt: skip
    create.add_argument("--review-after", type=float, metavar="H", help="hours after which you mean to look and decide")
    who = create.add_argument_group("which devices (default: all)")
    who.add_argument("--device", action="append", metavar="ID", help="may be given more than once")
    who.add_argument("--group", help="a group; `edgefleet group list` shows them")
    who.add_argument("--label", action="append", metavar="K=V", help="every one must match")
    listing = commands.add_parser("list", help="experiments, newest first")
    show = commands.add_parser("show", help="one experiment and its figures")
    choose = commands.add_parser("choose", help="end it: the version of one arm goes to all its devices")
    choose.add_argument("--arm", required=True)
    stop = commands.add_parser("stop", help="end it without a winner")
    for child in (show, choose, stop):
        child.add_argument("experiment", type=int)
    for child in (create, choose):
        child.add_argument("--waves", default="10%,rest", help="of its rollouts (default: 10%%,rest)")
        child.add_argument("--trial", type=float, default=20.0, metavar="S", help="on the device (default: 20)")
        child.add_argument("--soak-s", type=float, default=10.0, metavar="S", help="between waves (default: 10)")
    for child in (create, listing, show, choose, stop):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    client = Client(arguments.server)
    if arguments.action == "list":
        return _list(client, arguments.json)
    if arguments.action == "create":
        answer = client.post("/experiments", _body(arguments))
    elif arguments.action == "choose":
        body = {"arm": arguments.arm, **_how(arguments)}
        answer = client.post(f"/experiments/{arguments.experiment}/choose", body)
    elif arguments.action == "stop":
        answer = client.post(f"/experiments/{arguments.experiment}/stop", {})
    else:
        answer = client.get(f"/experiments/{arguments.experiment}")
    if arguments.json:
        print_json(answer)
        return 0
    _print_experiment(answer)
    return 0


def arm_of(text: str) -> dict[str, Any]:
    """Parse `b=spotter@1.1.0:0.5`.

    Raises:
        InputError: not of that form.
    """
    name, equals, rest = text.partition("=")
    named, colon, share = rest.partition(":")
    try:
        amount = float(share) if colon else 1.0
    except ValueError:
        amount = 0.0
    if not equals or amount <= 0.0:
        raise InputError(f"--arm {text!r}: write ARM=NAME@VERSION or ARM=NAME@VERSION:SHARE, for example b=spotter@1.1.0:0.5")
    package, version = package_of(named)
    return {"name": name, "package": package, "version": version, "share": amount}


def _body(arguments: argparse.Namespace) -> dict[str, Any]:
    arms = [arm_of(text) for text in arguments.arm]
    labels = pairs(arguments.label or [], "label")
    some = {"all": not (arguments.device or labels), "ids": arguments.device or [], "labels": labels}
    body = {"name": arguments.name, "slot": arguments.slot, "arms": arms, **_how(arguments)}
    body["compared"] = arguments.compare or []
    body["review_after_s"] = arguments.review_after * 3600.0 if arguments.review_after else None
    body["selector"] = {"group": arguments.group} if arguments.group else some
    if arguments.by_label:
        key, equals, values = arguments.by_label.partition("=")
        named = values.split(",")
        if not equals or len(named) != len(arms):
            raise InputError(f"--by-label {arguments.by_label!r}: write KEY=V,W with one value for each of the {len(arms)} arms")
        body |= {"split": "label", "label_key": key}
        for arm, value in zip(arms, named, strict=True):
            arm["value"] = value
    return body


def _how(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "waves": waves_of(arguments.waves),
        "gate": {"soak_s": arguments.soak_s},
        "policy": {"trial_s": arguments.trial},
    }


def _list(client: Client, as_json: bool) -> int:
    answer = client.get("/experiments")
    if as_json:
        print_json(answer)
        return 0
    rows = [
        [
            item["id"],
            item["name"],
            " / ".join(f"{arm['name']} {arm['package']}@{arm['version']}" for arm in item["arms"]),
            sum(arm["devices"] for arm in item["arms"]),
            f"chose {item['chosen_arm']}" if item["chosen_arm"] else item["state"],
        ]
        for item in answer["items"]
    ]
    print_table(("ID", "NAME", "ARMS", "DEVICES", "STATE"), rows)
    return 0


def _print_experiment(answer: dict[str, Any]) -> None:
    over = f", chose {answer['chosen_arm']} by rollout {answer['chosen_rollout']}" if answer["chosen_rollout"] else ""
    print(f"experiment {answer['id']} ({answer['name']}) on slot {answer['slot']} is {answer['state']}{over}")
    for arm in answer["arms"]:
        by = f"rollout {arm['rollout']} {arm['rollout_state']}" if arm["rollout"] else "nothing to bring"
        summary = f"{arm['on_version']} of {arm['devices']} devices run {arm['package']}@{arm['version']} ({by})"
        print(f"  {arm['name']}: {summary}")
    for left in answer.get("left_out", [])[:20]:
        print(f"takes no part: {left['device']}: {left['reason']}")
    rows = []
    for figure in answer["figures"]:
        verdicts = {each["arm"]: each for each in figure["differences"]}
        for arm in figure["arms"]:
            against = verdicts.get(arm["arm"])
            difference = f"{_interval(against)}  {VERDICTS[against['verdict']]}" if against else ""
            rows.append(
                [
                    TITLES.get(figure["name"], figure["name"]),
                    figure["unit"],
                    arm["arm"],
                    arm["devices"],
                    _interval(arm),
                    difference,
                ]
            )
    first = answer["arms"][0]["name"]
    print_table(("FIGURE", "UNIT", "ARM", "DEVICES", "MEAN", f"LESS {first.upper()}"), rows)
    print(f"means over devices; all intervals hold together with {answer['confidence_percent']:g} %")


def _interval(estimate: dict[str, Any]) -> str:
    if estimate["low"] is None:
        return f"{estimate['value']:.4g}"
    return f"{estimate['value']:.4g} [{estimate['low']:.4g}, {estimate['high']:.4g}]"
