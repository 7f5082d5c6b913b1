"""`edgefleet device list | show | label | cmd | snapshot | clip | bench | pin | unpin | release | block | unblock |
decommission`."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any, Final

from edgefleet_server.cli.client import Client, add_server_arguments, pairs, print_json, print_table, say, span
from edgefleet_server.cli.fleet import device_commands
from edgefleet_server.core.errors import InputError, UnavailableError

POLL_S: Final = 0.3
STATUSES: Final = ("online", "offline", "updating", "attention", "on_target", "off_target", "flapping", "pinned")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = commands.add_parser("list", help="devices, with what they run and how they are")
    listing.add_argument("--search", help="part of the id or profile")
    listing.add_argument("--status", choices=STATUSES)
    listing.add_argument("--group", help="a group; `edgefleet group list` shows them")
    listing.add_argument("--label", action="append", metavar="K=V", help="may be given more than once")
    listing.add_argument("--package")
    listing.add_argument("--version")
    listing.add_argument("--slot")
    listing.add_argument(
        "--sort", default="id", help="id, last_seen_at, fps, latency_p95_ms or version; a leading - turns it round"
    )
    listing.add_argument("--page", type=int, default=1)
    listing.add_argument("--size", type=int, default=100)
    show = commands.add_parser("show", help="everything about one device")
    show.add_argument("device")
    label = commands.add_parser("label", help="set labels (k=v) and remove them (k-)")
    label.add_argument("device")
    label.add_argument("labels", nargs="+", metavar="K=V")
    cmd = commands.add_parser("cmd", help="ask a device to do something once, and wait for its answer")
    cmd.add_argument("device")
    cmd.add_argument("op", help="what to do: identify, logs, restart, …")
    cmd.add_argument("args", nargs="*", metavar="K=V", help="values are JSON where they can be")
    cmd.add_argument("--deadline", type=float, default=30.0, metavar="S", help="seconds to wait (default: %(default)s)")
    block = commands.add_parser("block", help="block a device: stolen, or not to be trusted")
    block.add_argument("device")
    block.add_argument("--reason", default="", metavar="TEXT")
    unblock = commands.add_parser("unblock", help="let a device enrol again, with a new token")
    unblock.add_argument("device")
    pin = commands.add_parser("pin", help="a slot stays as it is, whatever is rolled out")
    pin.add_argument("device")
    pin.add_argument("package", nargs="?", metavar="NAME@VERSION", help="where it stays (default: what it runs now)")
    pin.add_argument("--slot", default="detector")
    pin.add_argument("--reason", default="", metavar="TEXT")
    unpin = commands.add_parser("unpin", help="a slot follows rollouts again")
    unpin.add_argument("device")
    unpin.add_argument("--slot", default="detector")
    release = commands.add_parser("release", help="let a device that failed again and again try now")
    release.add_argument("device")
    decommission = commands.add_parser("decommission", help="take a device out of the fleet, and delete what is known of it")
    decommission.add_argument("device")
    decommission.add_argument("--yes", action="store_true", help="do not ask")
    device_commands.add_arguments(commands)
    for child in (listing, show, label, cmd, block, unblock, pin, unpin, release, decommission):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    actions = {"list": _list, "show": _show, "label": _label, "cmd": _cmd, "block": _block, "unblock": _unblock}
    actions |= {"pin": _pin, "unpin": _unpin, "release": _release, "decommission": _decommission}
    actions |= {"snapshot": device_commands.snapshot, "clip": device_commands.clip, "bench": device_commands.bench}
    return actions[arguments.action](Client(arguments.server), arguments)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    names = ("search", "status", "group", "label", "package", "version", "slot", "sort", "page", "size")
    answer = client.get("/devices", **{name: getattr(arguments, name) for name in names})
    if arguments.json:
        print_json(answer)
        return 0
    rows = [_row(row) for row in answer["items"]]
    print_table(("DEVICE", "STATUS", "SEEN", "PROFILE", "RUNS", "FPS", "P95 MS", "ATTENTION"), rows)
    if answer["total"] > len(rows):
        print(f"{len(rows)} of {answer['total']} devices; --page {arguments.page + 1} shows more")
    return 0


def _row(row: dict[str, Any]) -> list[object]:
    runs = ", ".join(_runs(slot) for slot in row["slots"]) or "-"
    seen = f"{span(time.time() - row['last_seen_at'])} ago"
    numbers = (f"{row['fps']:.1f}", f"{row['latency_p95_ms']:.1f}")
    return [row["id"], row["status"], seen, row["profile"] or "-", runs, *numbers, "; ".join(row["attention"])]


def _runs(slot: dict[str, Any]) -> str:
    running, target = slot["running"], slot["target"]
    text = f"{running['package']}@{running['version']}" if running else "nothing"
    return text if slot["on_target"] or target is None else f"{text} → {target['version']} ({slot['phase']})"


def _show(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get(f"/devices/{arguments.device}")
    if arguments.json:
        print_json(answer)
        return 0
    since = answer["online_since_at"]
    print(f"{answer['id']}  {answer['status']}" + (f", online for {span(time.time() - since)}" if since else ""))
    print(
        f"agent     {answer['agent_version'] or '-'}, profile {answer['profile'] or '-'},"
        f" runtimes {', '.join(answer['runtimes']) or '-'}"
    )
    print(f"labels    {' '.join(f'{key}={value}' for key, value in answer['labels'].items()) or '-'}")
    print(f"document  generation {answer['generation_desired']}, device answered {answer['generation_reported']}")
    for one in answer["pins"]:
        print(f"pin       {one['slot']}: {one['package']}@{one['version']}{': ' if one['reason'] else ''}{one['reason']}")
    if answer["excluded_until"]:
        print(f"excluded until {time.ctime(answer['excluded_until'])}, after repeated failures")
    blocked = client.get(f"/devices/{arguments.device}/identity")["blocked"]
    if blocked:
        why = f" ({blocked['reason']})" if blocked["reason"] else ""
        print(f"blocked{why}; `edgefleet device unblock {answer['id']}` lets it enrol again")
    for text in answer["attention"]:
        print(f"attention {text}")
    for slot in answer["slots"]:
        running = slot["running"] or {}
        where = " ".join(part for part in (running.get("runtime"), running.get("placement")) if part)
        drift = f", for {span(time.time() - slot['drift_since_at'])}" if slot["drift_since_at"] else ""
        print(f"slot      {slot['slot']}: {_runs(slot)}{drift}{f' on {where}' if where else ''}")
    for name, gauges in answer["pipelines"].items():
        print(
            f"pipeline  {name}: {gauges['process_fps']:.1f} of {gauges['camera_fps']:.1f} fps, coverage {gauges['coverage']:.0%}"
        )
    for attempt in answer["attempts"]:
        print(f"attempt   rollout {attempt['rollout']}: {attempt['state']}: {attempt['explanation']}")
    return 0


def _label(client: Client, arguments: argparse.Namespace) -> int:
    labels: dict[str, str] = client.get(f"/devices/{arguments.device}")["labels"]
    removed = [text[:-1] for text in arguments.labels if text.endswith("-") and "=" not in text]
    labels.update(pairs([text for text in arguments.labels if "=" in text or not text.endswith("-")], "label"))
    remaining = {key: value for key, value in labels.items() if key not in removed}
    answer = client.patch(f"/devices/{arguments.device}", {"labels": remaining})
    return say(answer, arguments, " ".join(f"{key}={value}" for key, value in answer["labels"].items()) or "no labels")


def _block(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.put(f"/devices/{arguments.device}/block", {"reason": arguments.reason})
    return say(
        answer,
        arguments,
        f"{arguments.device} is blocked: its certificate is revoked, its session ended, and no token lets it in",
    )


def _unblock(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.delete(f"/devices/{arguments.device}/block")
    return say(answer, arguments, f"{arguments.device} may enrol again: edgefleet token create --device {arguments.device}")


def _pin(client: Client, arguments: argparse.Namespace) -> int:
    body: dict[str, Any] = {"reason": arguments.reason}
    if arguments.package:
        package, at, version = arguments.package.partition("@")
        if not at:
            raise InputError(f"{arguments.package!r}: write NAME@VERSION; `edgefleet model list` shows what there is")
        body |= {"package": package, "version": version}
    answer = client.put(f"/devices/{arguments.device}/pins/{arguments.slot}", body)
    pin = next(one for one in answer["pins"] if one["slot"] == arguments.slot)
    return say(answer, arguments, f"{arguments.device}: {arguments.slot} stays at {pin['package']}@{pin['version']}")


def _unpin(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.delete(f"/devices/{arguments.device}/pins/{arguments.slot}")
    return say(answer, arguments, f"{arguments.device}: {arguments.slot} follows rollouts again")


def _release(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.post(f"/devices/{arguments.device}/release", {})
    return say(answer, arguments, f"{arguments.device} is offered versions again")


def _decommission(client: Client, arguments: argparse.Namespace) -> int:
    if not arguments.yes and input(f"delete {arguments.device} and all that is known of it? type its id: ") != arguments.device:
        raise InputError("nothing was deleted")
    client.delete(f"/devices/{arguments.device}")
    return say({"device": arguments.device}, arguments, f"{arguments.device} is no part of the fleet any more")


def _cmd(client: Client, arguments: argparse.Namespace) -> int:
    args = {key: _value(text) for key, text in pairs(arguments.args, "argument").items()}
    body = {"op": arguments.op, "args": args, "deadline_s": arguments.deadline}
    answer = client.post(f"/devices/{arguments.device}/commands", body)
    while answer["state"] == "pending":
        time.sleep(POLL_S)
        answer = client.get(f"/devices/{arguments.device}/commands/{answer['id']}")
    if arguments.json:
        print_json(answer)
    else:
        print(f"{answer['state']}: {answer['detail'] or answer['op']}")
        if answer["result"]:
            print_json(answer["result"])
    if answer["state"] == "expired":
        raise UnavailableError(
            f"{arguments.device} did not answer within {arguments.deadline:g} s; `edgefleet device show` tells more"
        )
    return 0 if answer["state"] == "done" else 1


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
