"""`edgefleet trust init --offline` and `trust change-root`: a root of several keys that people keep, and its next versions."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from edgefleet_client.schemas.trust import SignedRoot
from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.wire.messages import METADATA_BYTES_MAX
from edgefleet_server.cli.client import Client, add_server_arguments
from edgefleet_server.cli.parsers import REPEATABLE
from edgefleet_server.core.errors import InputError

ACTIONS: Final = ("init", "change-root")
INIT: Final = (
    "edgefleet trust init --offline --root-public anna.pub --root-public ben.pub --root-public cleo.pub --root-threshold 2"
    " --root-key anna.pem --root-key ben.pem --targets-key targets.pem"
)
CHANGE: Final = (
    "edgefleet trust change-root --root-public anna.pub --root-public ben.pub --root-public dora.pub --root-key anna.pem"
    " --half root.json"
)


def add_arguments(commands: Any) -> None:
    """Add the actions to the subparsers of `edgefleet trust`."""
    init = add_command(commands, "init", "Take the root and targets keys off the server, for people to keep", INIT)
    init.add_argument("--offline", action="store_true", required=True, help="The server has neither key afterwards")
    change = add_command(commands, "change-root", "Replace root or targets keys that people keep, or add a signature", CHANGE)
    change.add_argument("--take", type=Path, metavar="F", help="Add signatures to this file, which --half has written")
    for child in (init, change):
        child.add_argument(
            "--root-public",
            type=Path,
            action="append",
            default=[],
            metavar="F",
            help=f"Public key of the new root, from `edgefleet trust public`; all of them {REPEATABLE}",
        )
        child.add_argument("--root-threshold", type=int, default=0, metavar="N", help="Required number of root signatures")
        child.add_argument(
            "--root-key", type=Path, action="append", default=[], metavar="F", help=f"Private root key that signs {REPEATABLE}"
        )
        child.add_argument(
            "--targets-key",
            type=Path,
            action="append",
            default=[],
            metavar="F",
            help=f"Private key of the package list from now on {REPEATABLE}",
        )
        child.add_argument("--targets-threshold", type=int, default=0, metavar="N", help="Required number of its signatures")
        child.add_argument("--half", type=Path, metavar="F", help="Write to this file instead of sending, for others to sign")
        add_server_arguments(child)


def run(client: Client, arguments: argparse.Namespace) -> Any:
    """Make or take the root, sign it, and send it: the server's answer; None if it was written to a file.

    Raises:
        EdgefleetError: the text says what to do.
    """
    from edgefleet_server.registry.signing.keys import add_signature, load_signer
    from edgefleet_server.registry.signing.root_changes import described_root

    if arguments.action == "init":
        _check_init(arguments)
    taken = getattr(arguments, "take", None)
    body = _taken(taken) if taken is not None else _made(client, arguments)
    data = body["metadata"].encode()
    print(described_root(data), file=sys.stderr)  # who adds a signature to a file of others should read it
    for file in arguments.root_key:
        data = add_signature(data, load_signer(file))
    body["metadata"] = data.decode()
    if arguments.half is None:
        return client.trust.post_signed_root(body)
    write_atomic(arguments.half, json.dumps(body).encode())
    print(f"{arguments.half} written; next: edgefleet trust change-root --take {arguments.half} --root-key F")
    return None


def _check_init(arguments: argparse.Namespace) -> None:
    from edgefleet_server.registry.signing.root_changes import THRESHOLD_OFFLINE_MIN

    if len(arguments.root_public) <= arguments.root_threshold or arguments.root_threshold < THRESHOLD_OFFLINE_MIN:
        raise InputError(
            f"{len(arguments.root_public)} root keys with a threshold of {arguments.root_threshold}: specify a threshold of"
            f" {THRESHOLD_OFFLINE_MIN} or more, and more keys than that, so that one may be lost"
        )
    if not arguments.targets_key:
        raise InputError("specify --targets-key: the key of the package list is taken off the server, too")


def _made(client: Client, arguments: argparse.Namespace) -> SignedRoot:
    from edgefleet_server.registry.signing.keys import load_signer, sign
    from edgefleet_server.registry.signing.root_changes import RoleKeys, next_root
    from edgefleet_server.registry.signing.signed_targets import next_targets

    signers = [load_signer(file) for file in arguments.targets_key]
    root = next_root(
        client.trust.get_trust_metadata("root"),
        RoleKeys(_public(arguments.root_public), arguments.root_threshold),
        RoleKeys([signer.public_key for signer in signers], arguments.targets_threshold or bool(signers)),
        time.time(),
    )
    body: SignedRoot = {"metadata": sign(root).decode()}
    if signers:
        targets = next_targets(client.trust.get_trust_metadata("targets"), [])
        body["targets"] = sign(targets, *signers).decode()
        print(f"signing {len(targets.targets)} packages: {', '.join(sorted(targets.targets)) or 'none'}", file=sys.stderr)
    return body


def _taken(file: Path) -> SignedRoot:
    try:
        with file.open("rb") as source:
            body = json.loads(source.read(4 * METADATA_BYTES_MAX))
        return {"metadata": str(body["metadata"]), "targets": str(body.get("targets", ""))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = fault_text(error) if isinstance(error, OSError) else "not such a file"
        raise InputError(f"{file}: {why}; specify a file written by --half") from error


def _public(files: Sequence[Path]) -> list[Any]:
    from edgefleet_server.registry.signing.keys import public_key

    try:
        return [public_key(file.read_text(encoding="ascii")) for file in files]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read a public key: {fault_text(error)}; create it with `edgefleet trust public KEY`") from error
