"""`edgefleet model import FILE | validate DIR | quantize DIR | push DIR | list | show NAME [VERSION]`."""

from __future__ import annotations

import argparse
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

from agent.contract.manifest import MANIFEST_FILE, read_manifest
from fleet_server.cli import model_analyze, model_catalogue, model_fetch, model_package, model_quantize
from fleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from fleet_server.errors import InputError

SPOOL_BYTES = 16 * 1024 * 1024


class Tool(Protocol):
    """A module with an action of its own."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


TOOLS: dict[str, tuple[Tool, str]] = {
    "quantize": (model_quantize, "int8 variants of a float package, each with its error"),
    "analyze": (model_analyze, "the best settings of a package on this device"),
    "catalogue": (model_catalogue, "well-known public models that can be fetched"),
    "fetch": (model_fetch, "a public model of the catalogue, from the web"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    model_package.add_arguments(commands)
    for action, (module, summary) in TOOLS.items():
        module.add_arguments(commands.add_parser(action, help=summary, description=summary))
    push = commands.add_parser("push", help="check a package folder and put it into the registry")
    push.add_argument("folder", type=Path, help="the folder that holds model.toml")
    show = commands.add_parser("show", help="one model: its versions, or one version with its files")
    show.add_argument("name")
    show.add_argument("version", nargs="?")
    listing = commands.add_parser("list", help="every model")
    for child in (push, show, listing):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Do it.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if arguments.action in model_package.ACTIONS:
        return model_package.run(arguments)
    if arguments.action in TOOLS:
        return TOOLS[arguments.action][0].run(arguments)
    with Client(arguments.server) as client:
        if arguments.action == "push":
            return _push(client, arguments)
        return _list(client, arguments) if arguments.action == "list" else _show(client, arguments)


def push(client: Client, folder: Path) -> tuple[bool, dict[str, Any]]:
    """Upload the package in `folder`; (whether it is new to the registry, what the registry says of it).

    Raises:
        InputError: no package, or a file that the manifest names is missing. EdgefleetError: what the server says.
    """
    file = folder / MANIFEST_FILE
    if not file.is_file():
        raise InputError(f"{folder} has no {MANIFEST_FILE}; give the folder of one version, firmware_models/NAME/VERSION")
    manifest = read_manifest(file.read_text(encoding="utf-8"), str(file))
    with tempfile.SpooledTemporaryFile(SPOOL_BYTES) as spool:
        with tarfile.open(fileobj=spool, mode="w", dereference=True) as archive:
            for path in manifest.paths():
                if not (folder / path).is_file():
                    raise InputError(f"{file} names {path!r}, which is not there; add the file or correct the manifest")
                archive.add(folder / path, path, recursive=False)
        spool.seek(0)
        status, version = client.upload("/models", "package", spool)
    return status == 201, version


def _push(client: Client, arguments: argparse.Namespace) -> int:
    is_new, version = push(client, arguments.folder)
    if arguments.json:
        print_json(version)
    else:
        said = "is in the registry now" if is_new else "was in the registry already"
        print(f"{version['name']}@{version['version']} {said}: {_size(version['length_bytes'])}, digest {version['digest'][:12]}")
    return 0


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get("/models")
    if arguments.json:
        print_json(answer)
        return 0
    rows = [_row(version) for model in answer["items"] for version in model["versions"]]
    print_table(("NAME", "VERSION", "TASK", "SIZE", "DEVICES", "PUSHED", "VARIANTS"), rows)
    return 0


def _row(version: dict[str, Any]) -> list[object]:
    age = span(time.time() - version["created_at"])
    variants = ", ".join(variant["name"] for variant in version["variants"])
    size = _size(version["length_bytes"])
    return [version["name"], version["version"], version["task"], size, version["running_on"], f"{age} ago", variants]


def _show(client: Client, arguments: argparse.Namespace) -> int:
    version = arguments.version or _latest(client, arguments.name)
    answer = client.get(f"/models/{arguments.name}/{version}")
    if arguments.json:
        print_json(answer)
        return 0
    print(f"{answer['name']}@{answer['version']}  {answer['title']}")
    print(f"digest   {answer['digest']}")
    print(
        f"task     {answer['task']}, head {answer['head']['family']}, {len(answer['labels'])} labels,"
        f" licence {answer['licence'] or '-'}"
    )
    print(f"devices  {answer['running_on']}")
    for variant in answer["variants"]:
        runtimes, profiles = ", ".join(variant["runtimes"]), ", ".join(variant["profiles"]) or "any profile"
        print(
            f"variant  {variant['name']}: {variant['format']} {variant['precision']}, {runtimes}, {profiles},"
            f" {_size(variant['length_bytes'])}"
        )
    for file in answer["files"]:
        print(f"file     {file['sha256'][:12]}  {_size(file['length']):>9}  {file['path']}")
    for row in client.get(f"/models/{arguments.name}/{version}/measurements", best=True)["items"]:
        print(
            f"measured {row['profile']} ({row['machine']}): p95 {row['p95_ms']:.2f} ms, {row['per_s']:.1f} a second with"
            f" {row['variant']} on {row['runtime']}, {row['threads'] or 'usual'} threads"
        )
    for rollout in answer["rollouts"]:
        print(f"rollout  {rollout['id']}: {rollout['name']} ({rollout['state']})")
    return 0


def _latest(client: Client, name: str) -> str:
    for model in client.get("/models")["items"]:
        if model["name"] == name:
            return str(model["latest"])
    raise InputError(f"no model {name!r}; `edgefleet model list` shows what there is")


def _size(count_bytes: int) -> str:
    return f"{count_bytes / 1e6:.1f} MB" if count_bytes >= 1_000_000 else f"{count_bytes / 1e3:.1f} kB"
