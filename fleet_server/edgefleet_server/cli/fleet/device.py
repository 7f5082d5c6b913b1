"""`edgefleet device list | show | label | cmd | logs | check | support-bundle | snapshot | clip | bench | pin | unpin | release |
block | unblock | decommission`."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any, Final

from edgefleet_client.schemas.devices import DeviceRow, PinRequest, SlotRow
from edgefleet_contract.core.command_line import add_command, seconds
from edgefleet_contract.core.questions import ask
from edgefleet_server.cli.client import Client, add_server_arguments, pairs, print_json, print_table, print_warnings, say, span
from edgefleet_server.cli.fleet import command_reply, device_commands, device_diagnosis
from edgefleet_server.cli.parsers import DEVICE, REPEATABLE, add_query_argument, package_of
from edgefleet_server.core.errors import InputError

STATUSES: Final = ("online", "offline", "updating", "attention", "on_target", "off_target", "flapping", "pinned")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    children = [*_add_list_arguments(commands), *_add_state_arguments(commands)]
    device_commands.add_arguments(commands)
    device_diagnosis.add_arguments(commands)
    for child in children:
        add_server_arguments(child)


def _add_list_arguments(commands: Any) -> list[argparse.ArgumentParser]:
    listing = add_command(
        commands,
        "list",
        "List devices with their status and running versions",
        "edgefleet device list --status offline --label site=lyon",
    )
    listing.add_argument("--search", help="Part of the ID or the profile")
    listing.add_argument("--status", choices=STATUSES, help="Only devices with this status")
    listing.add_argument("--group", help="Group name, as listed by `edgefleet group list`")
    listing.add_argument("--label", action="append", metavar="K=V", help=f"Label; all must match {REPEATABLE}")
    add_query_argument(listing)
    listing.add_argument("--package", help="Only devices that run this package")
    listing.add_argument("--version", help="Only devices that run this version")
    listing.add_argument("--slot", help="Only devices with this slot")
    listing.add_argument(
        "--sort",
        default="id",
        help="Sort key: id, last_seen_at, fps, latency_p95_ms or version; a leading - reverses the order (default: %(default)s)",
    )
    listing.add_argument("--page", type=int, default=1, help="Page number (default: %(default)s)")
    listing.add_argument("--size", type=int, default=100, help="Devices per page (default: %(default)s)")
    show = add_command(commands, "show", "Show the details of a device", "edgefleet device show line-7")
    label = add_command(
        commands, "label", "Set labels (K=V) and remove labels (K-)", "edgefleet device label line-7 site=lyon spare-"
    )
    cmd = add_command(
        commands, "cmd", "Send a command to a device and wait for the response", "edgefleet device cmd line-7 identify"
    )
    for child in (show, label, cmd):
        child.add_argument("device", help=DEVICE)
    label.add_argument("labels", nargs="+", metavar="K=V", help="Label to set, or K- to remove it")
    cmd.add_argument("op", help="Command: identify, logs, restart, …")
    cmd.add_argument("args", nargs="*", metavar="K=V", help="Argument; its value is parsed as JSON if possible")
    cmd.add_argument(
        "--deadline", type=seconds(0.1, 86_400), default=30.0, metavar="S", help="Timeout in seconds (default: %(default)s)"
    )
    return [listing, show, label, cmd]


def _add_state_arguments(commands: Any) -> list[argparse.ArgumentParser]:
    block = add_command(
        commands, "block", "Block a device and revoke its certificate", "edgefleet device block line-7 --reason stolen"
    )
    unblock = add_command(
        commands, "unblock", "Allow a blocked device to enroll with a new token", "edgefleet device unblock line-7"
    )
    pin = add_command(
        commands,
        "pin",
        "Pin a slot to a version; rollouts do not change it",
        "edgefleet device pin line-7 conveyor_inspector@1.0.0 --reason audit",
    )
    unpin = add_command(commands, "unpin", "Unpin a slot", "edgefleet device unpin line-7")
    release = add_command(
        commands, "release", "Release a device that is excluded after repeated failures", "edgefleet device release line-7"
    )
    decommission = add_command(
        commands, "decommission", "Remove a device from the fleet and delete its data", "edgefleet device decommission line-7"
    )
    children = [block, unblock, pin, unpin, release, decommission]
    for child in children:
        child.add_argument("device", help=DEVICE)
    for child in (block, pin):
        child.add_argument("--reason", default="", metavar="TEXT", help="Reason, shown in the dashboard")
    pin.add_argument("package", nargs="?", metavar="NAME@VERSION", help="Version to pin (default: the running version)")
    for child in (pin, unpin):
        child.add_argument("--slot", default="detector", help="Slot (default: %(default)s)")
    decommission.add_argument("--yes", action="store_true", help="Do not ask for confirmation")
    return children


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    actions = {"list": _list, "show": _show, "label": _label, "cmd": _cmd, "block": _block, "unblock": _unblock}
    actions |= {"pin": _pin, "unpin": _unpin, "release": _release, "decommission": _decommission}
    actions |= {"snapshot": device_commands.snapshot, "clip": device_commands.clip, "bench": device_commands.bench}
    actions |= {"logs": device_diagnosis.logs, "check": device_diagnosis.check}
    actions |= {"support-bundle": device_diagnosis.support_bundle}
    with Client(arguments.server) as client:
        return actions[arguments.action](client, arguments)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    names = ("search", "status", "group", "label", "query", "package", "version", "slot", "sort", "page", "size")
    answer = client.devices.list_devices(**{name: getattr(arguments, name) for name in names})
    if arguments.json:
        print_json(answer)
        return 0
    rows = [_row(row) for row in answer["items"]]
    print_warnings(answer.get("warnings", ()))
    print_table(("DEVICE", "STATUS", "LAST SEEN", "PROFILE", "RUNNING", "FPS", "P95 MS", "ATTENTION"), rows)
    if answer["total"] > len(rows):
        print(f"{len(rows)} of {answer['total']} devices; use --page {arguments.page + 1} for the next page")
    return 0


def _row(row: DeviceRow) -> list[object]:
    runs = ", ".join(_runs(slot) for slot in row["slots"]) or "-"
    seen = f"{span(time.time() - row['last_seen_at'])} ago"
    numbers = (f"{row['fps']:.1f}", f"{row['latency_p95_ms']:.1f}")
    return [row["id"], row["status"], seen, row["profile"] or "-", runs, *numbers, "; ".join(row["attention"])]


def _runs(slot: SlotRow) -> str:
    running, target = slot["running"], slot["target"]
    text = f"{running['package']}@{running['version']}" if running else "nothing"
    return text if slot["on_target"] or target is None else f"{text} → {target['package']}@{target['version']} ({slot['phase']})"


def _show(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.devices.get_device(arguments.device)
    if arguments.json:
        print_json(answer)
        return 0
    since = answer["online_since_at"]
    print(f"{answer['id']}  {answer['status']}" + (f", online for {span(time.time() - since)}" if since else ""))
    print(
        f"agent     {answer['agent_version'] or '-'}, profile {answer['profile'] or '-'},"
        f" runtimes {', '.join(answer['runtimes']) or '-'}"
    )
    print(f"can       {', '.join(answer['capabilities']) or 'not reported: an agent before 0.3.0'}")
    print(f"labels    {' '.join(f'{key}={value}' for key, value in answer['labels'].items()) or '-'}")
    if reported := answer.get("reported_labels"):
        print(f"reported  {' '.join(f'{key}={value}' for key, value in reported.items())} (by the device: selects nothing)")
    print(f"document  generation {answer['generation_desired']}, reported {answer['generation_reported']}")
    for one in answer["pins"]:
        print(f"pin       {one['slot']}: {one['package']}@{one['version']}{': ' if one['reason'] else ''}{one['reason']}")
    if answer["excluded_until"]:
        print(f"excluded until {time.ctime(answer['excluded_until'])}, after repeated failures")
    blocked = client.identity.get_device_identity(arguments.device)["blocked"]
    if blocked:
        why = f" ({blocked['reason']})" if blocked["reason"] else ""
        print(f"blocked{why}; `edgefleet device unblock {answer['id']}` allows it to enroll again")
    for text in answer["attention"]:
        print(f"attention {text}")
    for slot in answer["slots"]:
        running = slot["running"]
        where = " ".join(part for part in (running.get("runtime"), running.get("placement")) if part) if running else ""
        drift = f", for {span(time.time() - slot['drift_since_at'])}" if slot["drift_since_at"] else ""
        print(f"slot      {slot['slot']}: {_runs(slot)}{drift}{f' on {where}' if where else ''}")
        if slot["detail"] and not slot["on_target"]:
            print(f"          {slot['phase']}: {slot['detail']}")
        if running and running.get("placement_reason"):
            print(f"          not on its first device: {running['placement_reason']}")
    for name, gauges in answer["pipelines"].items():
        print(
            f"pipeline  {name}: {gauges['process_fps']:.1f} of {gauges['camera_fps']:.1f} fps, coverage {gauges['coverage']:.0%}"
        )
    for attempt in answer["attempts"]:
        print(f"attempt   rollout {attempt['rollout']}: {attempt['state']}: {attempt['explanation']}")
    return 0


def _label(client: Client, arguments: argparse.Namespace) -> int:
    labels = client.devices.get_device(arguments.device)["labels"]
    removed = [text[:-1] for text in arguments.labels if text.endswith("-") and "=" not in text]
    labels.update(pairs([text for text in arguments.labels if "=" in text or not text.endswith("-")], "label"))
    remaining = {key: value for key, value in labels.items() if key not in removed}
    answer = client.devices.label_device(arguments.device, {"labels": remaining})
    return say(answer, arguments, " ".join(f"{key}={value}" for key, value in answer["labels"].items()) or "no labels")


def _block(client: Client, arguments: argparse.Namespace) -> int:
    answering = client.fleet.get_health()["broker"]["state"] == "up"  # before: an error of it must not hide the effect
    answer = client.identity.block_device(arguments.device, {"reason": arguments.reason})
    ending = "the broker is ending its connection" if answering else "its connection is ended as soon as the broker answers"
    return say(answer, arguments, f"{arguments.device} is blocked now: certificate revoked, enrollment refused; {ending}")


def _unblock(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.identity.unblock_device(arguments.device)
    return say(answer, arguments, f"{arguments.device} can enroll again: edgefleet token create --device {arguments.device}")


def _pin(client: Client, arguments: argparse.Namespace) -> int:
    body: PinRequest = {"reason": arguments.reason}
    if arguments.package:
        package, version = package_of(arguments.package)
        body |= {"package": package, "version": version}
    answer = client.devices.pin_device(arguments.device, arguments.slot, body)
    pin = next(one for one in answer["pins"] if one["slot"] == arguments.slot)
    return say(answer, arguments, f"{arguments.device}: {arguments.slot} pinned to {pin['package']}@{pin['version']}")


def _unpin(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.devices.unpin_device(arguments.device, arguments.slot)
    return say(answer, arguments, f"{arguments.device}: {arguments.slot} unpinned")


def _release(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.devices.release_device(arguments.device)
    return say(answer, arguments, f"{arguments.device} released: rollouts include it again")


def _decommission(client: Client, arguments: argparse.Namespace) -> int:
    client.devices.get_device(arguments.device)  # before the question: the name may have a slip
    question = f"Delete {arguments.device} and all its data? Type its ID to confirm: "
    if not arguments.yes and ask(question, "use --yes") != arguments.device:
        raise InputError("not confirmed; nothing was deleted")
    client.devices.decommission_device(arguments.device)
    return say({"device": arguments.device}, arguments, f"{arguments.device} removed from the fleet")


def _cmd(client: Client, arguments: argparse.Namespace) -> int:
    args = {key: _value(text) for key, text in pairs(arguments.args, "argument").items()}
    sent = command_reply.send(client, arguments.device, arguments.op, args, arguments.deadline)
    answer = command_reply.wait_for_reply(client, arguments.device, sent)
    if arguments.json:
        print_json(answer)
    else:
        print(f"{answer['state']}: {answer['detail'] or answer['op']}")
        if answer["result"]:
            print_json(answer["result"])
    command_reply.check_in_time(arguments.device, answer, arguments.deadline)
    return 0 if answer["state"] == "done" else 1


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
