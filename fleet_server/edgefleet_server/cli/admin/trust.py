"""`edgefleet trust show | root | key F | public F | init | change-root | rotate ROLE [--key F] | delegate TEAM | replace-lost`:
signing keys."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from edgefleet_client.schemas.trust import KeyRotation
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.cli.admin.stopped_server import stopped_server
from edgefleet_server.cli.admin.table_output import note, open_database
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.keys import trust_root
from edgefleet_server.cli.parsers import REPEATABLE, add_data_argument
from edgefleet_server.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = add_command(commands, "show", "Show roles, keys, expiry dates and unsigned packages")
    root = add_command(
        commands, "root", "Print the trust root, for devices that are not enrolled", "edgefleet trust root --out root.json"
    )
    root.add_argument("--out", type=Path, metavar="F", help="Output file (default: stdout)")
    key = add_command(commands, "key", "Create a private key for signing, on a machine other than the server",
                      "edgefleet trust key targets.pem")  # fmt: skip
    key.add_argument("file", type=Path, help="Key file to create")
    rotate = add_command(
        commands,
        "rotate",
        "Replace the keys of a role and revoke the old ones",
        "edgefleet trust rotate targets --key targets.pem",
    )
    rotate.add_argument("role", choices=("root", "targets", "snapshot", "timestamp"), help="Role")
    rotate.add_argument(
        "--key", type=Path, action="append", default=[], metavar="F",
        help=f"Offline private key to use, for the role targets only {REPEATABLE}",
    )  # fmt: skip
    rotate.add_argument("--threshold", type=int, default=1, metavar="N", help="Required number of signatures (default: 1)")
    public = add_command(
        commands,
        "public",
        "Print the public key of a private key, for delegation",
        "edgefleet trust public vision.pem > vision.pub",
    )
    public.add_argument("file", type=Path, help="Private key file")
    delegate = add_command(
        commands,
        "delegate",
        "Let the keys of a team sign the packages that it owns",
        "edgefleet trust delegate vision --path 'conveyor_*/*' --public vision.pub --key targets.pem",
    )
    delegate.add_argument("team", help="Team name")
    delegate.add_argument("--path", action="append", default=[], metavar="NAME/*", help=f"Packages of the team {REPEATABLE}")
    delegate.add_argument(
        "--public", type=Path, action="append", default=[], metavar="F",
        help=f"Public key of the team, from `edgefleet trust public` {REPEATABLE}",
    )  # fmt: skip
    delegate.add_argument("--threshold", type=int, default=1, metavar="N", help="Required number of signatures (default: 1)")
    delegate.add_argument("--remove", action="store_true", help="Remove the delegation")
    delegate.add_argument(
        "--key", type=Path, action="append", required=True, metavar="F", help=f"Offline targets key {REPEATABLE}"
    )
    lost = add_command(
        commands,
        "replace-lost",
        "Replace keys of a stopped server that were lost, by new ones that the root key signs",
        "edgefleet trust replace-lost --data ./fleet",
    )
    lost.add_argument(
        "--role", action="append", default=[], choices=("targets", "snapshot", "timestamp"),
        help=f"Role whose key is lost {REPEATABLE} (default: snapshot and timestamp, if theirs is missing or damaged)",
    )  # fmt: skip
    lost.add_argument(
        "--root-key", type=Path, action="append", default=[], metavar="F", help=f"Root key that is kept elsewhere {REPEATABLE}"
    )
    add_data_argument(lost, "Data folder of the server")
    trust_root.add_arguments(commands)
    for child in (show, root, rotate, delegate):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if arguments.action == "key":
        return _key(arguments.file)
    if arguments.action == "public":
        from edgefleet_server.registry.signing.keys import load_signer, public_pem

        sys.stdout.write(public_pem(load_signer(arguments.file)))
        return 0
    if arguments.action == "replace-lost":
        return _replace_lost(arguments)
    if arguments.action in trust_root.ACTIONS:
        return _print(trust_root.run(Client(arguments.server), arguments), arguments)
    actions = {"show": _show, "root": _root, "rotate": _rotate, "delegate": _delegate}
    return actions[arguments.action](Client(arguments.server), arguments)


def _key(file: Path) -> int:
    from edgefleet_server.registry.signing.keys import new_key, write_secret

    if file.exists():
        raise InputError(f"{file} already exists; choose another name")
    write_secret(file.resolve(), new_key())
    print(f"{file}: Ed25519 private key; keep it off the server. To use it: edgefleet trust rotate targets --key {file}")
    return 0


def _show(client: Client, arguments: argparse.Namespace) -> int:
    return _print(client.trust.get_trust(), arguments)


def _root(client: Client, arguments: argparse.Namespace) -> int:
    data = client.trust.get_trust_metadata("root")
    if arguments.out is None:
        sys.stdout.write(data.decode())
        return 0
    try:
        arguments.out.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot write {arguments.out}: {error.strerror}; choose another file with --out") from error
    print(f"{arguments.out} written; set `trust_root` in agent.toml to it")
    return 0


def _rotate(client: Client, arguments: argparse.Namespace) -> int:
    body: KeyRotation = {"role": arguments.role, "threshold": arguments.threshold}
    if arguments.key:
        from edgefleet_server.registry.signing.keys import load_signer, public_pem, sign
        from edgefleet_server.registry.signing.signed_targets import next_targets

        signers = [load_signer(file) for file in arguments.key]
        targets = next_targets(client.trust.get_trust_metadata("targets"), [])
        body |= {"public_keys": [public_pem(signer) for signer in signers], "targets": sign(targets, *signers).decode()}
        print(f"signing {len(targets.targets)} packages: {', '.join(sorted(targets.targets)) or 'none'}", file=sys.stderr)
    return _print(client.trust.rotate_trust_key(body), arguments)


def _delegate(client: Client, arguments: argparse.Namespace) -> int:
    from edgefleet_server.registry.signing import delegations
    from edgefleet_server.registry.signing.keys import load_signer, public_key, sign
    from edgefleet_server.registry.signing.signed_targets import next_targets

    if not arguments.remove and not (arguments.path and arguments.public):
        raise InputError("specify --path and --public, or --remove")
    try:
        keys = [] if arguments.remove else [public_key(file.read_text(encoding="ascii")) for file in arguments.public]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read a public key: {fault_text(error)}; create it with `edgefleet trust public KEY`") from error
    targets = next_targets(client.trust.get_trust_metadata("targets"), [])
    delegations.delegate(targets, arguments.team, arguments.path, keys, arguments.threshold)
    data = sign(targets, *(load_signer(file) for file in arguments.key))
    return _print(client.trust.post_signed_targets({"metadata": data.decode()}), arguments)


def _replace_lost(arguments: argparse.Namespace) -> int:
    from edgefleet_server.registry.signing.keys import load_signer
    from edgefleet_server.registry.signing.tuf_repository import TufRepository

    if not (arguments.data / "trust" / "metadata").is_dir():
        raise InputError(f"{arguments.data} has no signed metadata; specify the data folder of the server with --data")
    root_keys = [load_signer(file) for file in arguments.root_key]
    with stopped_server(arguments.data, "because it has the old keys in memory"), open_database(arguments.data) as database:
        replaced = TufRepository(arguments.data / "trust").replace_lost(time.time(), arguments.role, root_keys)
        with database.write() as connection:
            note(connection, "replace_lost_trust_keys", "/trust", {"roles": replaced})
    print(f"new keys for {', '.join(replaced)}; start the server: devices follow when they connect")
    return 0


def _print(answer: Any, arguments: argparse.Namespace) -> int:
    if answer is None:
        return 0
    if arguments.json:
        print_json(answer)
        return 0
    rows = []
    for role in answer["roles"]:
        where = "server" if role["online"] else "offline"
        keys = " ".join(key[:12] for key in role["key_ids"])
        rows.append([role["role"], role["version"], span(role["expires_at"] - time.time()), keys, role["threshold"], where])
    print_table(("ROLE", "VERSION", "EXPIRES IN", "KEYS", "THRESHOLD", "LOCATION"), rows)
    print(f"signed    {' '.join(answer['signed']) or '-'}")
    if answer.get("withdrawn"):
        print(f"withdrawn {' '.join(answer['withdrawn'])}")
    if answer["waiting"]:
        names = " ".join(f"{row['name']}/{row['version']}" for row in answer["waiting"])
        print(f"unsigned  {names}   (edgefleet sign FOLDER --key F)")
    return 0
