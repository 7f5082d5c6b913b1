"""`edgefleet dossier`: what the server knows about a component, for a notification by the EU Cyber Resilience Act."""

from __future__ import annotations

import argparse
from datetime import datetime, timezone

from edgefleet_client.schemas.audit import DossierRequest
from edgefleet_server.cli.client import Client, add_server_arguments
from edgefleet_server.cli.models.sbom import write_result
from edgefleet_server.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("--component", required=True, metavar="NAME", help="Library, model package, system or runtime")
    parser.add_argument("--version", default="", metavar="SPEC", help='Version, or specifiers such as "<3.0.7" (default: all)')
    parser.add_argument("--stage", required=True, choices=("24h", "72h"), help="Early warning, or notification")
    parser.add_argument(
        "--aware",
        default="",
        metavar="TIME",
        help="When you became aware, such as 2026-11-27T20:15+01:00 (default: to be filled in)",
    )
    parser.add_argument("--out", required=True, metavar="F", help="Zip file to write, or - for stdout")
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the dossier.

    Raises:
        EdgefleetError: the text says what to do.
    """
    body: DossierRequest = {
        "component": arguments.component.lower(),
        "version": arguments.version,
        "stage": arguments.stage,
        "aware_at": _time(arguments.aware),
    }
    with Client(arguments.server) as client:
        data = client.audit.create_dossier(body)
    return write_result(bytes(data), arguments.out)


def _time(text: str) -> float | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError as error:
        raise InputError(f"--aware {text!r}: must be a time such as 2026-11-27T20:15+01:00") from error
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp()
