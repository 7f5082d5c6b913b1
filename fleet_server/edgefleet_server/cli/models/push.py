"""`edgefleet model push DIR`: upload in pieces with a progress bar; an interrupted upload is resumed, also by a later run."""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from pathlib import Path
from typing import IO, BinaryIO, Final, cast

from edgefleet_client.schemas.models import ModelVersion
from edgefleet_client.uploads import push_package
from edgefleet_contract.encoding.sizes import size
from edgefleet_contract.package.manifest import Manifest
from edgefleet_server.cli.client import Client, print_json
from edgefleet_server.cli.models.package import run_variants
from edgefleet_server.cli.package_folder import complete_manifest_of
from edgefleet_server.core.errors import ConflictError, InputError, UnavailableError
from edgefleet_server.model_tools.agent_process import is_agent_installed
from edgefleet_server.model_tools.progress_bar import Progress
from edgefleet_server.registry.importers.package_lint import lint

SPOOL_BYTES: Final = 16 * 1024 * 1024
INTERRUPTIONS: Final = (UnavailableError, ConflictError)
"""Errors after which an upload continues."""
NOT_RUN: Final = ("agent", "pipeline")
"""Tasks of packages that are no models."""
BUDGETS: Final = ("over_latency:", "over_memory:")
"""How the text of a run that exceeded a budget begins."""


def push(client: Client, folder: Path, *, quiet: bool = False) -> tuple[bool, ModelVersion]:
    """Upload the package in `folder`; returns (whether it is new to the registry, its entry in the registry). quiet: without
    progress.

    Raises:
        InputError: it is not a package, or a file that the manifest names is missing. EdgefleetError: the server's error.
    """
    with tempfile.SpooledTemporaryFile(SPOOL_BYTES) as spool:
        label = pack(folder, spool)
        with Progress(f"pushing {label}", spool.tell(), is_bytes=True, quiet=quiet) as bar:
            return push_package(client, cast("BinaryIO", spool), lambda sent, _: bar.to(sent), interruptions=INTERRUPTIONS)


def pack(folder: Path, spool: IO[bytes]) -> str:
    """Write the tar of a package folder, with the same bytes at every call, because an upload can be resumed only with identical
    bytes. Returns its name and version.

    Raises:
        InputError: it is not a package, or a file that the manifest names is missing.
    """
    manifest = complete_manifest_of(folder)
    with tarfile.open(fileobj=spool, mode="w", dereference=True) as archive:
        for path in manifest.paths():
            archive.add(folder / path, path, recursive=False, filter=_plain)
    return manifest.id


def run(client: Client, arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        InputError: `edgefleet model validate` refuses the package. EdgefleetError: the server's error.
    """
    manifest, findings = lint(arguments.folder)
    faults = [each for each in findings if each.level == "error"]
    if faults:
        more = f" (and {len(faults) - 1} more: `edgefleet model validate {arguments.folder}`)" if len(faults) > 1 else ""
        raise InputError(f"{faults[0].where}: {faults[0].text}{more}; nothing was pushed")
    if not arguments.no_run and manifest.task not in NOT_RUN and is_agent_installed():
        _run_here(arguments.folder, manifest)
    is_new, version = push(client, arguments.folder, quiet=arguments.json)
    if arguments.json:
        print_json(version)
    else:
        outcome = "pushed" if is_new else "is already in the registry"
        print(
            f"{version['name']}@{version['version']} {outcome}: {size(version['length_bytes'])}, digest {version['digest'][:12]}"
        )
    return 0


def _run_here(folder: Path, manifest: Manifest) -> None:
    """Run every variant on the runtimes of this machine, with its golden samples.

    Raises:
        InputError: one fails. Budgets are for devices, so that exceeding them here is no failure.
    """
    for variant in manifest.variants:
        for each in run_variants(folder, [variant]):
            if each["state"] == "failed" and not each["detail"].startswith(BUDGETS):
                text = f"{each['variant']} on {each['runtime']}: {each['detail']}"
                raise InputError(f"{text}; nothing was pushed (--no-run pushes without running the model)")


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime = member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o644
    return member
