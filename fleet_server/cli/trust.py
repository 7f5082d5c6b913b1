"""`edgefleet trust show | root | key F | rotate ROLE [--key F]`: who may sign what devices run."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from fleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from fleet_server.errors import InputError


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
    rotate.add_argument("--key", type=Path, metavar="F", help="targets only: this key, which stays with you")
    for child in (show, root, rotate):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Do it.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if arguments.action == "key":
        return _key(arguments.file)
    actions = {"show": _show, "root": _root, "rotate": _rotate}
    return actions[arguments.action](Client(arguments.server), arguments)


def _key(file: Path) -> int:
    from fleet_server.registry.trust_keys import new_key, write_secret

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
    body = {"role": arguments.role}
    if arguments.key is not None:
        from fleet_server.registry.trust import next_targets
        from fleet_server.registry.trust_keys import load_signer, public_pem, sign

        signer = load_signer(arguments.key)
        targets = next_targets(client.fetch("/trust/targets.json"), [])
        body |= {"public_key": public_pem(signer), "targets": sign(targets, signer).decode()}
        print(f"signing {len(targets.targets)} packages: {', '.join(sorted(targets.targets)) or 'none'}", file=sys.stderr)
    return _print(client.post("/trust/rotate", body), arguments)


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
