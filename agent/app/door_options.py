"""How the doors of the inference API are guarded, and what they offer: the same options for `serve` and the service's worker."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from agent.app.version import agent_version
from agent.errors import InputError
from agent.serving.guard import Guard, Tls, read_keys
from agent.settings import ServingSettings

if TYPE_CHECKING:
    from agent.serving.server import Server

SERVER_NAME = "edgefleet"


def add_door_options(parser: argparse.ArgumentParser) -> None:
    """TLS, keys, rates, shared memory, traces."""
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="certificate (PEM); the doors speak TLS then")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="its key")
    parser.add_argument("--tls-client-ca", type=Path, metavar="FILE", help="let in only who has a certificate of this authority")
    parser.add_argument("--api-keys", type=Path, metavar="FILE", help="let in only who has one of these keys: NAME KEY a line")
    parser.add_argument("--rate", type=float, default=0.0, metavar="N", help="requests a second of each key or address")
    parser.add_argument("--open-to-everyone", action="store_true", help="an address that others reach needs no key: meant so")
    parser.add_argument(
        "--allow-client-shm", action="store_true", help="let callers register shared memory of this machine (default: refused)"
    )
    parser.add_argument("--trace-file", type=Path, metavar="FILE", help="where traces are written; default: into the log")


def make_server(arguments: argparse.Namespace) -> Server:
    """What the doors share, as the options describe it. Imported by who opens a door, not by every worker."""
    from agent.serving.server import Server
    from agent.serving.shared_memory import Regions
    from agent.serving.tracing import Traces

    return Server(SERVER_NAME, agent_version(), Regions(allowed=arguments.allow_client_shm), Traces(arguments.trace_file))


def read_guard(arguments: argparse.Namespace) -> Guard:
    """The guard that the options describe.

    Raises:
        InputError: they contradict each other, or a file is not what it should be.
    """
    if (arguments.tls_cert is None) != (arguments.tls_key is None):
        raise InputError("--tls-cert and --tls-key belong together")
    if arguments.tls_client_ca is not None and arguments.tls_cert is None:
        raise InputError("--tls-client-ca needs --tls-cert and --tls-key")
    if not 0 <= arguments.rate < float("inf"):
        raise InputError("--rate must be 0 (no limit) or more")
    tls = None
    if arguments.tls_cert is not None:
        tls = Tls(arguments.tls_cert, arguments.tls_key, arguments.tls_client_ca)
        tls.context("h2")  # a wrong file is told before anything is loaded
    keys = read_keys(arguments.api_keys) if arguments.api_keys is not None else {}
    return Guard(keys, tls, arguments.rate, arguments.open_to_everyone)


def as_options(settings: ServingSettings) -> list[str]:
    """What the settings say, as options."""
    given = {
        "--http": settings.http,
        "--grpc": settings.grpc,
        "--tls-cert": settings.tls_cert,
        "--tls-key": settings.tls_key,
        "--tls-client-ca": settings.tls_client_ca,
        "--api-keys": settings.api_keys,
        "--trace-file": settings.trace_file,
        "--rate": str(settings.rate_per_s) if settings.rate_per_s else "",
    }
    options = [word for name, value in given.items() if value for word in (name, value)]
    options += ["--open-to-everyone"] if settings.open_to_everyone else []
    return [*options, "--allow-client-shm"] if settings.shared_memory else options
