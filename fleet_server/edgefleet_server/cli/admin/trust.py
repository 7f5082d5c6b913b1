"""`edgefleet trust show | root | key F | public F | rotate ROLE [--key F] | delegate TEAM`: who may sign what devices run."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = commands.add_parser("show", help="roles, their keys and dates, and what waits for a signature")
    root = commands.add_parser("root", help="the trust root, which a device that is not enrolled needs as a file")
    root.add_argument("--out", type=Path, metavar="F", help="write it there (default: print it)")
    key = commands.add_parser("key", help="make a key to sign with, on a machine that is not the server")
    key.add_argument("file", type=Path)
    rotate = commands.add_parser("rotate", help="give a role a new key and revoke the old one")
    rotate.add_argument("role", choices=("root", "targets", "snapshot", "timestamp"))
    rotate.add_argument(
        "--key",
        type=Path,
        action="append",
        default=[],
        metavar="F",
        help="targets only: this key, which stays with you; may be given again",
    )
    rotate.add_argument("--threshold", type=int, default=1, metavar="N", help="so many of the keys have to sign (default: 1)")
    public = commands.add_parser("public", help="the public half of a key, for whoever delegates to it")
    public.add_argument("file", type=Path)
    delegate = commands.add_parser("delegate", help="let a team's keys sign the packages that it owns")
    delegate.add_argument("team")
    delegate.add_argument(
        "--path", action="append", default=[], metavar="NAME/*", help="packages of the team; may be given again"
    )
    delegate.add_argument(
        "--public", type=Path, action="append", default=[], metavar="F", help="a key of the team, from `trust public`"
    )
    delegate.add_argument("--threshold", type=int, default=1, metavar="N", help="so many of them have to sign (default: 1)")
    delegate.add_argument("--remove", action="store_true", help="the team may sign nothing any more")
    delegate.add_argument(
        "--key",
        type=Path,
        action="append",
        required=True,
        metavar="F",
        help="the targets key, off the server; may be given again",
    )
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
    actions = {"show": _show, "root": _root, "rotate": _rotate, "delegate": _delegate}
    return actions[arguments.action](Client(arguments.server), arguments)


def _key(file: Path) -> int:
    from edgefleet_server.registry.signing.keys import new_key, write_secret

    if file.exists():
        raise InputError(f"{file} exists; a key is never overwritten, choose another name")
    write_secret(file.resolve(), new_key())
    print(
        f"{file}: an Ed25519 private key. Keep it off the server; `edgefleet trust rotate targets --key {file}` puts it in force."
    )
    return 0


def _show(client: Client, arguments: argparse.Namespace) -> int:
    return _print(client.get("/trust"), arguments)


def _root(client: Client, arguments: argparse.Namespace) -> int:
    data = client.fetch("/trust/root.json")
    if arguments.out is None:
        sys.stdout.write(data.decode())
        return 0
    try:
        arguments.out.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot write {arguments.out}: {error.strerror}; choose another --out") from error
    print(f"{arguments.out}: name it as `trust_root` in agent.toml")
    return 0


def _rotate(client: Client, arguments: argparse.Namespace) -> int:
    body: dict[str, Any] = {"role": arguments.role, "threshold": arguments.threshold}
    if arguments.key:
        from edgefleet_server.registry.signing.keys import load_signer, public_pem, sign
        from edgefleet_server.registry.signing.tuf_repository import next_targets

        signers = [load_signer(file) for file in arguments.key]
        targets = next_targets(client.fetch("/trust/targets.json"), [])
        body |= {"public_keys": [public_pem(signer) for signer in signers], "targets": sign(targets, *signers).decode()}
        print(f"signing {len(targets.targets)} packages: {', '.join(sorted(targets.targets)) or 'none'}", file=sys.stderr)
    return _print(client.post("/trust/rotate", body), arguments)


def _delegate(client: Client, arguments: argparse.Namespace) -> int:
    from edgefleet_server.registry.signing import delegations
    from edgefleet_server.registry.signing.keys import load_signer, public_key, sign
    from edgefleet_server.registry.signing.tuf_repository import next_targets

    if not arguments.remove and not (arguments.path and arguments.public):
        raise InputError("give --path and --public of the team, or --remove")
    try:
        keys = [] if arguments.remove else [public_key(file.read_text(encoding="ascii")) for file in arguments.public]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"a public key cannot be read: {error}; make it with `edgefleet trust public KEY`") from error
    targets = next_targets(client.fetch("/trust/targets.json"), [])
    delegations.delegate(targets, arguments.team, arguments.path, keys, arguments.threshold)
    data = sign(targets, *(load_signer(file) for file in arguments.key))
    return _print(client.post("/trust/targets", {"metadata": data.decode()}), arguments)


def _print(answer: Any, arguments: argparse.Namespace) -> int:
    if arguments.json:
        print_json(answer)
        return 0
    rows = []
    for role in answer["roles"]:
        where = "on the server" if role["online"] else "offline"
        keys = " ".join(key[:12] for key in role["key_ids"])
        rows.append([role["role"], role["version"], span(role["expires_at"] - time.time()), keys, role["threshold"], where])
    print_table(("ROLE", "VERSION", "ENDS IN", "KEYS", "THRESHOLD", "KEY IS"), rows)
    print(f"signed   {' '.join(answer['signed']) or '-'}")
    if answer["waiting"]:
        names = " ".join(f"{row['name']}/{row['version']}" for row in answer["waiting"])
        print(f"waiting  {names}   (edgefleet sign FOLDER --key F)")
    return 0
