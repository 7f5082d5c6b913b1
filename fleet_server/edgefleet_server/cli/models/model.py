"""`edgefleet model`: packages on disk (import, validate, golden, quantize, ...) and in the registry (push, list, show, ...)."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Protocol

from edgefleet_client.schemas.models import ModelVersion
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.encoding.sizes import size
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.models import analyze, catalogue, fetch, golden, package, push, quantize, registry, sbom
from edgefleet_server.core.errors import InputError


class Tool(Protocol):
    """A module with an action of its own."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


TOOLS: dict[str, tuple[Tool, str, str]] = {
    "quantize": (
        quantize,
        "Create int8 variants of a float package and measure their accuracy",
        "edgefleet model quantize firmware_models/dent_detector/1.0.0 --data pictures",
    ),
    "analyze": (
        analyze,
        "Find the best settings of a package on this machine",
        "edgefleet model analyze firmware_models/conveyor_inspector/1.1.0 --threads 1,2,4 --plot sweep.svg",
    ),
    "golden": (
        golden,
        "Make golden samples of pictures: every device must find the same before it runs the model",
        "edgefleet model golden firmware_models/conveyor_inspector/1.1.0 --images good.jpg broken.jpg",
    ),
    "catalogue": (
        catalogue,
        "List public models that `model fetch` can download",
        "edgefleet model catalogue --catalogue ./my_models",
    ),
    "sbom": (
        sbom,
        "Write the bill of materials of a package (CycloneDX 1.6)",
        "edgefleet model sbom conveyor_inspector 1.1.0 --out conveyor_inspector.cdx.json",
    ),
    "fetch": (fetch, "Download a public model of the catalogue as a package", "edgefleet model fetch deeplab_v3_pascal"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    package.add_arguments(commands)
    for action, (module, summary, example) in TOOLS.items():
        module.add_arguments(add_command(commands, action, summary, example))
    push = add_command(
        commands, "push", "Push a package to the registry", "edgefleet model push firmware_models/conveyor_inspector/1.1.0"
    )
    push.add_argument("folder", type=Path, help="Package folder with a model.toml")
    push.add_argument("--no-run", action="store_true", help="Do not run the model on this machine first")
    show = add_command(
        commands, "show", "Show a version of a model with its variants and files", "edgefleet model show conveyor_inspector 1.1.0"
    )
    show.add_argument("name", help="Model name")
    show.add_argument("version", nargs="?", help="Version (default: the latest)")
    listing = add_command(commands, "list", "List models and their versions")
    for child in (push, show, listing, *registry.add_arguments(commands)):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if arguments.action in package.ACTIONS:
        return package.run(arguments)
    if arguments.action in TOOLS:
        return TOOLS[arguments.action][0].run(arguments)
    with Client(arguments.server) as client:
        actions = {"push": push.run, "coverage": registry.coverage, "prune": registry.prune, "withdraw": registry.withdraw}
        return (actions | {"list": _list, "show": _show})[arguments.action](client, arguments)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = {"items": list(client.models.iterate_models())}
    if arguments.json:
        print_json(answer)
        return 0
    rows = [_row(version) for model in answer["items"] for version in model["versions"]]
    print_table(("NAME", "VERSION", "TASK", "SIZE", "DEVICES", "PUSHED", "VARIANTS"), rows)
    return 0


def _row(version: ModelVersion) -> list[object]:
    age = span(time.time() - version["created_at"])
    variants = ", ".join(variant["name"] for variant in version["variants"])
    length = size(version["length_bytes"])
    return [version["name"], version["version"], version["task"], length, version["running_on"], f"{age} ago", variants]


def _show(client: Client, arguments: argparse.Namespace) -> int:
    version = arguments.version or _latest(client, arguments.name)
    answer = client.models.get_model(arguments.name, version)
    if arguments.json:
        print_json(answer)
        return 0
    print(f"{answer['name']}@{answer['version']}  {answer['title']}")
    print(f"digest   {answer['digest']}")
    labels = f"labels in {answer['labels_file']}" if answer["labels_file"] else f"{len(answer['labels'])} labels"
    print(f"task     {answer['task']}, head {answer['head']['family']}, {labels}, licence {answer['licence'] or '-'}")
    print(f"devices  {answer['running_on']}")
    print(f"requires {', '.join(answer['requires']) or '-'}")
    for variant in answer["variants"]:
        runtimes, profiles = ", ".join(variant["runtimes"]), ", ".join(variant["profiles"]) or "any profile"
        print(
            f"variant  {variant['name']}: {variant['format']} {variant['precision']}, {runtimes}, {profiles},"
            f" {size(variant['length_bytes'])}"
        )
    for file in answer["files"]:
        print(f"file     {file['sha256'][:12]}  {size(file['length']):>9}  {file['path']}")
    for row in client.models.list_measurements(arguments.name, version, best=True)["items"]:
        print(
            f"measured {row['profile']} ({row['machine']}): p95 {row['p95_ms']:.2f} ms, {row['per_s']:.1f}/s with"
            f" {row['variant']} on {row['runtime']}, {row['threads'] or 'default'} threads"
        )
    for rollout in answer["rollouts"]:
        print(f"rollout  {rollout['id']}: {rollout['name']} ({rollout['state']})")
    return 0


def _latest(client: Client, name: str) -> str:
    for model in client.models.iterate_models():
        if model["name"] == name:
            return str(model["latest"])
    raise InputError(f"no model {name!r}; `edgefleet model list` lists the models")
