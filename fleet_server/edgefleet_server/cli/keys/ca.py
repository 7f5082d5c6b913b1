"""`edgefleet ca show | import | rotate | finish`: the certificate authority that signs the certificates of devices."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from edgefleet_contract.core.command_line import add_command, finite
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, span
from edgefleet_server.cli.parsers import add_data_argument
from edgefleet_server.core.errors import InputError

ONLINE_DAYS: Final = 30.0
SHOWN: Final = 20
PERIOD_S: Final = 2.0
PEM_BYTES_MAX: Final = 64 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = add_command(commands, "show", "Show the authority, or how far its rotation is", "edgefleet ca show --watch")
    show.add_argument("--watch", action="store_true", help="Repeat until all devices have renewed, then exit")
    stage = add_command(
        commands,
        "import",
        "Put an authority of your own, or a new one, aside for the next rotation, on the server",
        "edgefleet ca import --key devices.key --certificate chain.pem --data ./fleet",
    )
    stage.add_argument("--key", type=Path, metavar="PEM", help="Its private key, unencrypted (default: make a new authority)")
    stage.add_argument(
        "--certificate", type=Path, metavar="PEM", help="Its certificate, followed by those above it, up to the root"
    )
    add_data_argument(stage, "Data folder of the server, which may run")
    rotate = add_command(
        commands,
        "rotate",
        "Begin a rotation: devices renew their certificates, and trust both authorities",
        "edgefleet ca rotate",
    )
    finish = add_command(
        commands, "finish", "End the rotation: the old authority is trusted no more", "edgefleet ca finish --online-days 90"
    )
    finish.add_argument(
        "--leave",
        type=int,
        default=0,
        metavar="N",
        help="Leave the N devices behind that were online lately and have not renewed; each has to be enrolled again",
    )
    for child in (show, finish):
        child.add_argument(
            "--online-days",
            type=finite,
            default=ONLINE_DAYS,
            metavar="D",
            help="Days for which a device that was not online is not waited for (default: %(default)g)",
        )
    for child in (show, rotate, finish):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if arguments.action == "import":
        return _import(arguments)
    client = Client(arguments.server)
    if arguments.action == "show":
        return _show(client, arguments)
    if arguments.action == "rotate":
        answer = client.identity.begin_authority_rotation()
    else:
        answer = client.identity.finish_authority_rotation({"online_days": arguments.online_days, "leave": arguments.leave})
    _print(answer, arguments)
    return 0


def _show(client: Client, arguments: argparse.Namespace) -> int:
    while True:
        answer = client.identity.get_authority_rotation(online_days=arguments.online_days)
        _print(answer, arguments)
        if not arguments.watch or not answer["missing"]:
            return 0
        time.sleep(PERIOD_S)


def _print(answer: Mapping[str, Any], arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json(answer)
        return
    now, since = time.time(), answer["rotating_since"]
    if getattr(arguments, "watch", False):
        print(f"{answer['renewed']:,} of {answer['devices']:,} devices have renewed", flush=True)
        return
    rows = [[each["fingerprint"][:16], each["subject"], span(each["expires_at"] - now)] for each in answer["authorities"]]
    print_table(("FINGERPRINT", "SUBJECT", "EXPIRES IN"), rows)
    state = f"rotating for {span(now - since)}" if since is not None else "no rotation"
    print(f"{state}: {answer['renewed']:,} of {answer['devices']:,} devices trust the newest authority")
    if answer["missing"]:
        print(f"{answer['missing_online']:,} of the others were online within {_days(arguments):g} days:")
        missing = [
            [each["device"], "online" if each["online"] else _ago(each["last_seen_at"], now)] for each in answer["items"][:SHOWN]
        ]
        print_table(("DEVICE", "LAST SEEN"), missing)
        if answer["missing"] > SHOWN:
            print(f"{answer['missing'] - SHOWN:,} more")
    if answer["open_tokens"]:
        print(f"{answer['open_tokens']:,} open tokens are older than the rotation: with --tls-self-signed they end with it")


def _days(arguments: argparse.Namespace) -> float:
    """The days that the report is about."""
    return float(getattr(arguments, "online_days", ONLINE_DAYS))


def _ago(at: float, now: float) -> str:
    return f"{span(now - at)} ago" if at else "never"


def _import(arguments: argparse.Namespace) -> int:
    from edgefleet_server.registry.identity.authorities import STAGED, TRUSTED, stage

    folder = arguments.data / "authority"
    if not (folder / "authority.crt").is_file():
        raise InputError(
            f"{arguments.data} is not the data folder of a server: no {folder.name}/authority.crt; specify it with --data"
        )
    if (arguments.key is None) != (arguments.certificate is None):
        raise InputError("specify both --key and --certificate, or neither for a new authority")
    given = (_read(arguments.certificate), _read(arguments.key)) if arguments.key is not None else None
    stage(folder, given, time.time())
    print(f"{folder / STAGED} has the next authority; `edgefleet ca rotate` begins to use it")
    print(f"a broker of your own needs {folder / TRUSTED} before that, as the authorities of its clients")
    return 0


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as source:
            return source.read(PEM_BYTES_MAX)
    except OSError as error:
        raise InputError(f"cannot read {file}: {fault_text(error)}; specify a PEM file") from error
