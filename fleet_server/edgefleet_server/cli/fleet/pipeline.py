"""`edgefleet pipeline list | get | check | set | rollout`: pipelines of devices."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, Final

from edgefleet_client.schemas.pipelines import NewPipeline, PipelineDocument, PipelineVersion
from edgefleet_client.schemas.rollout_requests import RolloutRequest
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_BYTES_MAX, pipeline_slot, read_fleet_pipeline
from edgefleet_server.cli import follow
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.fleet import command_reply
from edgefleet_server.cli.parsers import REPEATABLE
from edgefleet_server.cli.rollouts import rollout
from edgefleet_server.core.errors import InputError, StoreError

ANSWER_S: Final = 20.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = add_command(commands, "list", "List pipelines and their versions")
    get = add_command(
        commands, "get", "Print a pipeline of the fleet or of a device", "edgefleet pipeline get gate --device line-7 > gate.toml"
    )
    get.add_argument("name", metavar="NAME[@VERSION]", nargs="?", help="Pipeline (default with --device: all)")
    get.add_argument("--package", type=Path, metavar="DIR", help="Write the package to a new folder, for signing elsewhere")
    get.add_argument("--device", metavar="ID", help="Read the pipelines from this device, local ones included")
    check = add_command(commands, "check", "Validate a pipeline file", "edgefleet pipeline check gate.toml")
    put = add_command(
        commands, "set", "Store a pipeline as a new version", "edgefleet pipeline set gate.toml --device line-7 --watch"
    )
    for child in (check, put):
        child.add_argument("file", type=Path, metavar="P.toml", help="Pipeline file; - = stdin")
    put.add_argument("--version", help="Version (default: the next after the latest)")
    put.add_argument("--note", default="", help="Description of the change")
    put.add_argument("--device", action="append", default=[], metavar="ID", help=f"Roll out to this device {REPEATABLE}")
    put.add_argument("--watch", action="store_true", help=f"Follow the rollout; {follow.EXIT_CODES}")
    out = add_command(
        commands, "rollout", "Roll out a version in waves", "edgefleet pipeline rollout gate@1.1.0 --label site=lyon --watch"
    )
    rollout.add_create_arguments(out, "pipeline", "NAME[@VERSION]")
    for child in (listing, get, check, put, out):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; exit code 2 if a document is not valid.

    Raises:
        EdgefleetError: the text says what to do.
    """
    actions = {"list": _list, "get": _get, "check": _check, "set": _set, "rollout": _rollout}
    return actions[arguments.action](Client(arguments.server), arguments)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = {"items": list(client.pipelines.iterate_pipelines())}
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [
            row["name"],
            version["version"],
            version["running_on"],
            f"{span(time.time() - version['created_at'])} ago",
            _words(version),
        ]
        for row in answer["items"]
        for version in row["versions"]
    ]
    print_table(("PIPELINE", "VERSION", "DEVICES", "CREATED", "NOTE"), rows)
    return 0


def _age(version: PipelineVersion) -> str:
    return f"{span(time.time() - version['created_at'])} ago"


def _words(version: PipelineVersion) -> str:
    return str(version["note"]) if version["signed"] else f"not signed; {version['note']}".rstrip("; ")


def _get(client: Client, arguments: argparse.Namespace) -> int:
    name, _, version = (arguments.name or "").partition("@")
    if arguments.device:
        return _of_device(client, arguments.device, name, as_json=arguments.json)
    if not name:
        raise InputError("specify a pipeline or --device; `edgefleet pipeline list` lists the pipelines")
    answer = client.pipelines.get_pipeline(name, version=version or None)
    if arguments.package:
        _write_package(client, answer, arguments.package)
    if arguments.json:
        print_json(answer)
    elif not arguments.package:
        sys.stdout.write(answer["text"])
    return 0


def _write_package(client: Client, document: PipelineDocument, folder: Path) -> None:
    files = client.models.get_model(document["slot"], document["version"])["files"]
    try:
        folder.mkdir(parents=True)
        for file in files:
            (folder / file["path"]).write_bytes(client.models.get_blob(file["sha256"]))
    except OSError as error:
        raise StoreError(f"cannot write {folder}: {error.strerror}; specify a new folder") from error


def _of_device(client: Client, device: str, name: str, *, as_json: bool) -> int:
    reported = [row for row in _ask(client, device) if not name or row["name"] == name]
    if not reported:
        raise InputError(
            f"{device} has no pipeline{f' {name!r}' if name else ''}; `edgefleet device show {device}` shows its status"
        )
    if as_json:
        print_json(reported)
        return 0
    for row in reported:
        print(f"# {row['name']}: {'version ' + row['version'] + ' of the fleet' if row['version'] else 'local file'}")
        sys.stdout.write(row["text"].rstrip() + "\n\n")
    return 0


def _ask(client: Client, device: str) -> list[dict[str, Any]]:
    sent = command_reply.send(client, device, "pipelines", {}, ANSWER_S)
    command = command_reply.wait_for_reply(client, device, sent, ANSWER_S)
    command_reply.check_in_time(device, command, ANSWER_S)
    if command["state"] == "failed":
        raise InputError(f"{device}: {command['detail']}")
    pipelines: list[dict[str, Any]] = command["result"].get("pipelines", [])
    return pipelines


def _check(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.pipelines.check_pipeline({"text": _read(arguments.file)})
    problem = answer["problem"]
    if arguments.json:
        print_json(answer)
        return 0 if answer["ok"] else InputError.exit_code
    if problem is not None:
        line = f":{problem['line']}" if problem["line"] else ""
        raise InputError(f"{arguments.file}{line}: {problem['text']}")
    spec = answer["spec"] or {}
    parts = ", ".join(f"{len(spec.get(key, []))} {key}" for key in ("stages", "zones", "lines", "rules"))
    print(f"{arguments.file}: {answer['name']}, {parts}: valid")
    return 0


def _set(client: Client, arguments: argparse.Namespace) -> int:
    text = _read(arguments.file)
    read_fleet_pipeline(text, str(arguments.file))  # before it is sent: a password in it stays on this machine
    body: NewPipeline = {"text": text, "note": arguments.note}
    if arguments.version:
        body["version"] = arguments.version
    rollout.check_devices(client, arguments.device)
    _, answer = client.pipelines.create_pipeline(body)
    if not arguments.device:
        if arguments.json:
            print_json(answer)
        else:
            print(f"{answer['name']}@{answer['version']} stored; next: edgefleet pipeline rollout {answer['name']}")
        return 0
    slot = answer["slot"]
    order: RolloutRequest = {
        "name": f"{answer['name']} {answer['version']}",
        "package": slot,
        "version": answer["version"],
        "slot": slot,
        "selector": {"ids": arguments.device},
        "waves": [{"name": "all"}],
        "gate": {"soak_s": 0.0, "regressions": None},  # ends when the device has it
    }
    return rollout.print_or_follow(
        client, client.rollouts.create_rollout(order)[1], watch_it=arguments.watch, as_json=arguments.json
    )


def _rollout(client: Client, arguments: argparse.Namespace) -> int:
    name, _, version = arguments.pipeline.partition("@")
    document = client.pipelines.get_pipeline(name, version=version or None)
    arguments.slot = pipeline_slot(name)
    arguments.package = f"{arguments.slot}@{document['version']}"
    arguments.name = arguments.name or f"{name} {document['version']}"
    return rollout.create(client, arguments)


def _read(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read(PIPELINE_BYTES_MAX + 1) if str(file) == "-" else file.read_bytes()
        if len(data) > PIPELINE_BYTES_MAX:
            raise InputError(f"{file}: larger than {PIPELINE_BYTES_MAX} bytes; split it into several pipelines")
        return data.decode()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; specify a pipeline file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 text; specify a pipeline file") from error
