"""`edgefleet experiment create | list | show | choose | stop`: comparison of two or more versions on devices."""

from __future__ import annotations

import argparse
from typing import Any, Final, cast

from edgefleet_client.schemas.experiments import (
    ChooseRequest,
    DifferenceFrom,
    Estimate,
    Experiment,
    ExperimentCreated,
    ExperimentRequest,
    LeftOut,
)
from edgefleet_contract.core.command_line import add_command, finite, seconds
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table
from edgefleet_server.cli.parsers import REPEATABLE, add_selector_arguments, package_of
from edgefleet_server.cli.rollouts.plan_options import given_options, selector_of, waves_of
from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.core.errors import InputError

TITLES: Final = {
    "latency_p95_ms": "latency p95",
    "dropped_percent": "dropped frames",
    "confidence": "mean confidence",
    "events_per_hour": "events per hour",
    "failures": "failed updates",
}
VERDICTS: Final = {
    "better": "better",
    "worse": "worse",
    "different": "different",
    "no_difference_seen": "no significant difference",
    "too_few": "too few devices",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = add_command(
        commands,
        "create",
        "Start an experiment",
        "edgefleet experiment create threshold --arm a=conveyor_inspector@1.0.0 --arm b=conveyor_inspector@1.1.0:0.5",
    )
    create.add_argument("name", help="Name of the experiment")
    create.add_argument(
        "--arm",
        action="append",
        required=True,
        metavar="ARM=NAME@VERSION[:SHARE]",
        help=f"Arm, two or more; the first is the baseline {REPEATABLE}",
    )
    create.add_argument("--slot", default="detector", help="Slot of the package on the device (default: %(default)s)")
    create.add_argument(
        "--by-label", metavar="KEY=V,W", help="Split by the value of a label, one value per arm (default: by a stable hash)"
    )
    create.add_argument(
        "--compare", action="append", choices=sorted(TITLES), metavar="FIGURE",
        help=f"Metric to compare {REPEATABLE} (default: {', '.join(sorted(TITLES))})",
    )  # fmt: skip
    create.add_argument("--review-after", type=finite, metavar="H", help="Planned time of the decision, in hours")
    add_selector_arguments(create)
    listing = add_command(commands, "list", "List experiments, newest first")
    show = add_command(commands, "show", "Show an experiment and its results", "edgefleet experiment show 4")
    choose = add_command(
        commands, "choose", "End an experiment and roll out the version of one arm", "edgefleet experiment choose 4 --arm b"
    )
    choose.add_argument("--arm", required=True, help="Arm to roll out")
    stop = add_command(commands, "stop", "End an experiment without a winner", "edgefleet experiment stop 4")
    for child in (show, choose, stop):
        child.add_argument("experiment", type=int, help="Experiment ID, as listed by `edgefleet experiment list`")
    for child in (create, choose):
        child.add_argument(
            "--waves",
            default=defaults.EXPERIMENT_WAVES_TEXT,
            help="Waves of the rollouts, with rest at the end (default: %(default)s)",
        )
        child.add_argument(
            "--trial",
            type=seconds(0, 86_400),
            metavar="S",
            help=f"Trial on each device in seconds (default: {defaults.TRIAL_S:g})",
        )
        child.add_argument(
            "--soak-s",
            type=seconds(0, 604_800),
            metavar="S",
            help=f"Soak time after each wave in seconds (default: {defaults.SOAK_S:g})",
        )
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
    answer: Experiment | ExperimentCreated
    if arguments.action == "create":
        answer = client.rollouts.create_experiment(cast("ExperimentRequest", _body(arguments)))
    elif arguments.action == "choose":
        body = cast("ChooseRequest", {"arm": arguments.arm, **_how(arguments)})
        answer = client.rollouts.choose_experiment_arm(arguments.experiment, body)
    elif arguments.action == "stop":
        answer = client.rollouts.stop_experiment(arguments.experiment)
    else:
        answer = client.rollouts.get_experiment(arguments.experiment)
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
        raise InputError(f"--arm {text!r}: must be ARM=NAME@VERSION[:SHARE], for example b=spotter@1.1.0:0.5")
    package, version = package_of(named)
    return {"name": name, "package": package, "version": version, "share": amount}


def _body(arguments: argparse.Namespace) -> dict[str, Any]:
    arms = [arm_of(text) for text in arguments.arm]
    body = {"name": arguments.name, "slot": arguments.slot, "arms": arms, **_how(arguments)}
    body["compared"] = arguments.compare or []
    body["review_after_s"] = arguments.review_after * 3600.0 if arguments.review_after else None
    body["selector"] = selector_of(arguments)
    if arguments.by_label:
        key, equals, values = arguments.by_label.partition("=")
        named = values.split(",")
        if not equals or len(named) != len(arms):
            raise InputError(
                f"--by-label {arguments.by_label!r}: must be KEY=V,W with one value for each of the {len(arms)} arms"
            )
        body |= {"split": "label", "label_key": key}
        for arm, value in zip(arms, named, strict=True):
            arm["value"] = value
    return body


def _how(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "waves": waves_of(arguments.waves),
        "gate": given_options(soak_s=arguments.soak_s),
        "policy": given_options(trial_s=arguments.trial),
    }


def _list(client: Client, as_json: bool) -> int:
    answer = client.rollouts.list_experiments()
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


def _print_experiment(answer: Experiment | ExperimentCreated) -> None:
    over = f", chose {answer['chosen_arm']} (rollout {answer['chosen_rollout']})" if answer["chosen_rollout"] else ""
    print(f"experiment {answer['id']} ({answer['name']}) on slot {answer['slot']} is {answer['state']}{over}")
    for arm in answer["arms"]:
        by = f"rollout {arm['rollout']} {arm['rollout_state']}" if arm["rollout"] else "no rollout needed"
        summary = f"{arm['on_version']} of {arm['devices']} devices run {arm['package']}@{arm['version']} ({by})"
        print(f"  {arm['name']}: {summary}")
    left_out: list[LeftOut] = cast("ExperimentCreated", answer).get("left_out", [])
    for left in left_out[:20]:
        print(f"excluded: {left['device']}: {left['reason']}")
    rows = []
    for figure in answer["figures"]:
        verdicts = {each["arm"]: each for each in figure["differences"]}
        for estimate in figure["arms"]:
            against = verdicts.get(estimate["arm"])
            difference = f"{_interval(against)}  {VERDICTS[against['verdict']]}" if against else ""
            rows.append(
                [
                    TITLES.get(figure["name"], figure["name"]),
                    figure["unit"],
                    estimate["arm"],
                    estimate["devices"],
                    _interval(estimate),
                    difference,
                ]
            )
    first = answer["arms"][0]["name"]
    print_table(("METRIC", "UNIT", "ARM", "DEVICES", "MEAN", f"DIFFERENCE TO {first.upper()}"), rows)
    print(f"means over devices with simultaneous {answer['confidence_percent']:g} % confidence intervals")


def _interval(estimate: Estimate | DifferenceFrom) -> str:
    if estimate["low"] is None:
        return f"{estimate['value']:.4g}"
    return f"{estimate['value']:.4g} [{estimate['low']:.4g}, {estimate['high']:.4g}]"
