"""`edgefleet pipeline list | get | check | set | rollout`: pipelines of devices."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, Final

from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_BYTES_MAX, pipeline_slot
from edgefleet_server.cli import follow
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.rollouts import rollout
from edgefleet_server.core.errors import InputError, StoreError, UnavailableError

ANSWER_S: Final = 20.0
POLL_S: Final = 0.3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = commands.add_parser("list", help="pipelines of the fleet and their versions")
    get = commands.add_parser("get", help="print a pipeline, the fleet's or what a device has")
    get.add_argument("name", metavar="NAME[@VERSION]", nargs="?", help="default with --device: all")
    get.add_argument("--package", type=Path, metavar="DIR", help="write the package into a new folder, to be signed elsewhere")
    get.add_argument("--device", metavar="ID", help="ask this device; its own pipelines too")
    check = commands.add_parser("check", help="is a document valid? with the line at fault")
    check.add_argument("file", type=Path, metavar="P.toml", help="- reads standard input")
    put = commands.add_parser("set", help="keep a document as a new version; with --device, let these devices run it")
    put.add_argument("file", type=Path, metavar="P.toml", help="- reads standard input")
    put.add_argument("--version", help="default: the one after the latest")
    put.add_argument("--note", default="", help="what is new")
    put.add_argument("--device", action="append", default=[], metavar="ID", help="may be given more than once")
    put.add_argument("--watch", action="store_true", help=f"follow until they run it; {follow.EXIT_CODES}")
    out = commands.add_parser("rollout", help="bring a version to devices in waves, like a model")
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
    answer = client.get("/pipelines")
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


def _age(version: dict[str, Any]) -> str:
    return f"{span(time.time() - version['created_at'])} ago"


def _words(version: dict[str, Any]) -> str:
    return str(version["note"]) if version["signed"] else f"not signed; {version['note']}".rstrip("; ")


def _get(client: Client, arguments: argparse.Namespace) -> int:
    name, _, version = (arguments.name or "").partition("@")
    if arguments.device:
        return _of_device(client, arguments.device, name, as_json=arguments.json)
    if not name:
        raise InputError("name a pipeline, or a device; `edgefleet pipeline list` shows what there is")
    answer = client.get(f"/pipelines/{name}", version=version or None)
    if arguments.package:
        _write_package(client, answer, arguments.package)
    if arguments.json:
        print_json(answer)
    elif not arguments.package:
        sys.stdout.write(answer["text"])
    return 0


def _write_package(client: Client, document: dict[str, Any], folder: Path) -> None:
    files = client.get(f"/models/{document['slot']}/{document['version']}")["files"]
    try:
        folder.mkdir(parents=True)
        for file in files:
            (folder / file["path"]).write_bytes(client.fetch(f"/blobs/{file['sha256']}"))
    except OSError as error:
        raise StoreError(f"cannot write {folder}: {error.strerror}; name a folder that is not there yet") from error


def _of_device(client: Client, device: str, name: str, *, as_json: bool) -> int:
    reported = [row for row in _ask(client, device) if not name or row["name"] == name]
    if not reported:
        raise InputError(
            f"{device} has no pipeline{f' {name!r}' if name else ''}; `edgefleet device show {device}` shows its state"
        )
    if as_json:
        print_json(reported)
        return 0
    for row in reported:
        print(f"# {row['name']}: {'version ' + row['version'] + ' of the fleet' if row['version'] else 'its own file'}")
        sys.stdout.write(row["text"].rstrip() + "\n\n")
    return 0


def _ask(client: Client, device: str) -> list[dict[str, Any]]:
    command = client.post(f"/devices/{device}/commands", {"op": "pipelines", "deadline_s": ANSWER_S})
    ends = time.monotonic() + ANSWER_S
    while command["state"] == "pending" and time.monotonic() < ends:
        time.sleep(POLL_S)
        command = client.get(f"/devices/{device}/commands/{command['id']}")
    if command["state"] == "failed":
        raise InputError(f"{device}: {command['detail']}")
    if command["state"] != "done":
        raise UnavailableError(f"{device} did not answer within {ANSWER_S:.0f} s; is it online?")
    pipelines: list[dict[str, Any]] = command["result"].get("pipelines", [])
    return pipelines


def _check(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.post("/pipelines/check", {"text": _read(arguments.file)})
    problem = answer["problem"]
    if arguments.json:
        print_json(answer)
        return 0 if answer["ok"] else InputError.exit_code
    if problem is not None:
        line = f":{problem['line']}" if problem["line"] else ""
        raise InputError(f"{arguments.file}{line}: {problem['text']}")
    spec = answer["spec"]
    parts = ", ".join(f"{len(spec.get(key, []))} {key}" for key in ("stages", "zones", "lines", "rules"))
    print(f"{arguments.file}: {answer['name']}, {parts}: valid")
    return 0


def _set(client: Client, arguments: argparse.Namespace) -> int:
    body = {"text": _read(arguments.file), "note": arguments.note}
    answer = client.post("/pipelines", {**body, "version": arguments.version} if arguments.version else body)
    if not arguments.device:
        if arguments.json:
            print_json(answer)
        else:
            print(
                f"{answer['name']}@{answer['version']} is kept; edgefleet pipeline rollout {answer['name']} brings it to devices"
            )
        return 0
    slot = answer["slot"]
    order = {
        "name": f"{answer['name']} {answer['version']}",
        "package": slot,
        "version": answer["version"],
        "slot": slot,
        "selector": {"ids": arguments.device},
        "waves": [{"name": "all"}],
    }
    return rollout.print_or_follow(client, client.post("/rollouts", order), watch_it=arguments.watch, as_json=arguments.json)


def _rollout(client: Client, arguments: argparse.Namespace) -> int:
    name, _, version = arguments.pipeline.partition("@")
    document = client.get(f"/pipelines/{name}", version=version or None)
    arguments.slot = pipeline_slot(name)
    arguments.package = f"{arguments.slot}@{document['version']}"
    arguments.name = arguments.name or f"{name} {document['version']}"
    return rollout.create(client, arguments)


def _read(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read(PIPELINE_BYTES_MAX + 1) if str(file) == "-" else file.read_bytes()
        if len(data) > PIPELINE_BYTES_MAX:
            raise InputError(f"{file}: over {PIPELINE_BYTES_MAX} bytes; split it into several pipelines")
        return data.decode()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; give a pipeline file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 text; give a pipeline file") from error
