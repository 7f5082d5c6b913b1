"""`edgefleet token create [--device ID | --devices N] [--approval] [--label K=V] [--hours H] | list | revoke ID | requests |
approve ID | deny ID`: enrolment tokens, and the devices that wait for approval (`enrolment_requests`).

With `--data DIR` it works on a data folder instead of a server, without signing in.
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec
import segno

from edgefleet_client.schemas.identity import TokenRequest
from edgefleet_contract.core.atomic_files import read_if_there, write_atomic
from edgefleet_contract.core.command_line import add_command, finite
from edgefleet_contract.encoding.field_faults import field_fault
from edgefleet_contract.encoding.names import DeviceId, LabelKey, LabelValue
from edgefleet_server.cli.admin import enrolment_requests
from edgefleet_server.cli.admin.stopped_server import is_served
from edgefleet_server.cli.admin.table_output import note, open_database, readable_database
from edgefleet_server.cli.client import Client, add_server_arguments, pairs, print_json, print_table, span
from edgefleet_server.cli.parsers import REPEATABLE, add_instead_argument, local_data
from edgefleet_server.core.errors import EdgefleetError, InputError, UnavailableError
from edgefleet_server.core.settings import STATE_FILE
from edgefleet_server.db.devices import identities
from edgefleet_server.registry.identity.enrolment import TOKEN_S_MAX, new_token
from edgefleet_server.registry.identity.enrolment_line import EnrolmentAddress

HOUR_S: Final = 3600.0
STATE_BYTES_MAX: Final = 64 * 1024
DEVICES_MAX: Final = 100_000
QR_BORDER: Final = 2
LOCKING_S: Final = 5.0
FIRST_LOCKING_S: Final = 20.0
STARTING_S: Final = 60.0
"""Waits for a server that was started just before this command: until it locks its folder, which takes longer on a slow machine
and is waited for if there is no address of an earlier start, and until it has an address."""
NOTICE_S: Final = 2.0
"""A longer wait is announced, on a terminal."""


class _Request(msgspec.Struct, frozen=True):
    """The device and the labels of a new token; `device` None: any device."""

    device: DeviceId | None
    labels: dict[LabelKey, LabelValue]


@dataclass(frozen=True, slots=True)
class _NewToken:
    """A token to be created. device: empty for any; devices: how many may use it."""

    device: str
    labels: dict[str, str]
    life_s: float
    devices: int
    approval: bool


class _State(msgspec.Struct, frozen=True):
    """The part of `server.json` that is read here."""

    enrolment: EnrolmentAddress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = add_command(
        commands,
        "create",
        "Create a token that enrolls one device or several, and print the command line for a device",
        "edgefleet token create --devices 500 --approval --label site=lyon",
    )
    which = create.add_mutually_exclusive_group()
    which.add_argument(
        "--device", default="", metavar="ID", help="Only for this device, which may be enrolled already (default: any new device)"
    )
    which.add_argument(
        "--devices",
        type=int,
        default=1,
        metavar="N",
        help="Number of new devices that may use the token, each once: for an image that many devices start from (default: 1)",
    )
    create.add_argument(
        "--approval", action="store_true", help="Each device waits until a user approves it: `edgefleet token approve`"
    )
    create.add_argument("--label", action="append", default=[], metavar="K=V", help=f"Label for the device {REPEATABLE}")
    create.add_argument("--hours", type=finite, default=1.0, metavar="H", help="Validity in hours (default: %(default)s)")
    shown = create.add_mutually_exclusive_group()
    shown.add_argument(
        "--out", type=Path, metavar="FILE", help="Write the token to this file (mode 0600) instead of into the command line"
    )
    shown.add_argument("--qr", action="store_true", help="Also draw the command line as a QR code")
    listing = add_command(commands, "list", "List tokens, without their secrets")
    revoke = add_command(commands, "revoke", "Revoke a token", "edgefleet token revoke 3f9a1c")
    revoke.add_argument("id", help="Token ID, as listed by `edgefleet token list`")
    for child in (create, listing, revoke):
        add_instead_argument(child, "Work on this data folder instead of a server")
        add_server_arguments(child)
    enrolment_requests.add_arguments(commands)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if arguments.action in enrolment_requests.ACTIONS:
        with Client(arguments.server) as client:
            return enrolment_requests.run(client, arguments)
    actions = {"create": _create, "list": _list, "revoke": _revoke}
    data = local_data(arguments)
    if data is not None:
        return actions[arguments.action](_OnDisk(data), arguments)
    with Client(arguments.server) as client:
        return actions[arguments.action](_AtServer(client), arguments)


class _AtServer:
    """Tokens over the REST API."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(self, new: _NewToken) -> dict[str, Any]:
        device = new.device
        body: TokenRequest = {"device": device, "labels": new.labels, "life_s": new.life_s}
        if new.devices > 1 or new.approval:  # a server of an earlier version does not know them
            body |= {"devices_max": new.devices, "approval": new.approval}
        made = self._client.identity.create_enrolment_token(body)
        address = EnrolmentAddress(self._client.url)  # a server of version 0.2.0 does not send its own
        return {**asdict(address), "command": address.command(device, made["token"]), **made}

    def rows(self) -> list[dict[str, Any]]:
        return [{**row} for row in self._client.identity.list_enrolment_tokens()["items"]]

    def revoke(self, token: str) -> None:
        self._client.identity.revoke_enrolment_token(token)


class _OnDisk:
    """Tokens in the data folder of a server, which may be running."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def create(self, new: _NewToken) -> dict[str, Any]:
        address, device, life_s = self._address(), new.device, new.life_s
        given = {"device": device or None, "labels": new.labels}
        try:
            checked = msgspec.convert(given, _Request)
        except msgspec.ValidationError as error:
            raise InputError(f"{field_fault(error, _Request, value=given)}; correct --device or --label") from error
        if not 0 < life_s <= TOKEN_S_MAX:
            raise InputError(f"--hours {life_s / HOUR_S:g}: must be greater than 0 and at most {TOKEN_S_MAX / HOUR_S:g}")
        with open_database(self._data) as database, database.write() as connection:
            count, approval = new.devices, new.approval
            made = new_token(connection, checked.device or "", checked.labels, life_s, time.time(), count, approval=approval)
            shown = {"device": device, "labels": checked.labels, "life_s": life_s, "devices_max": count, "approval": approval}
            note(connection, "create_enrolment_token", "/enrolment-tokens", shown)
        return {**made, **msgspec.to_builtins(address), "command": address.command(device, made["token"])}

    def rows(self) -> list[dict[str, Any]]:
        with readable_database(self._data) as database, database.read() as connection:
            return identities.tokens(connection)

    def revoke(self, token: str) -> None:
        with open_database(self._data) as database, database.write() as connection:
            identities.revoke_token(connection, token, time.time())
            note(connection, "revoke_enrolment_token", f"/enrolment-tokens/{token}", {})

    def _address(self) -> EnrolmentAddress:
        """The address of the server of this folder, which is waited for while it is starting; of one that does not run, the
        address of its last start."""
        began_s = time.monotonic()
        is_noted = not sys.stderr.isatty()
        while True:
            served = is_served(self._data)
            found = self._stored_address()  # a server deletes an older one as soon as it has locked the folder
            if served and found is not None:
                return found
            waited_s = time.monotonic() - began_s
            if waited_s > (STARTING_S if served else LOCKING_S if found is not None else FIRST_LOCKING_S):
                break
            if waited_s > NOTICE_S and not is_noted:
                is_noted = True
                print(f"edgefleet: waiting for the server of {self._data} to start", file=sys.stderr)
            time.sleep(0.1)
        if found is None:
            raise UnavailableError(
                f"data folder {self._data}: the server has no address yet; start it with `edgefleet serve`, then try again"
            )
        return replace(found, warning=f"the server of {self._data} is not running; start it before a device uses this line")

    def _stored_address(self) -> EnrolmentAddress | None:
        content = read_if_there(self._data / STATE_FILE, STATE_BYTES_MAX) or b""
        try:
            return msgspec.json.decode(content, type=_State).enrolment
        except msgspec.DecodeError:
            return None


def _create(tokens: _AtServer | _OnDisk, arguments: argparse.Namespace) -> int:
    if arguments.qr and arguments.json:
        raise InputError("--qr and --json exclude each other; omit one")
    out: Path | None = arguments.out
    labels = pairs(arguments.label, "label")
    if not 1 <= arguments.devices <= DEVICES_MAX:
        raise InputError(f"--devices {arguments.devices}: must be between 1 and {DEVICES_MAX:,}")
    new = _NewToken(arguments.device, labels, arguments.hours * HOUR_S, arguments.devices, arguments.approval)
    if out is not None and out.exists():
        raise InputError(f"--out {out} exists; specify a new file, or delete this one")
    if out is not None:
        write_atomic(out, b"", 0o600)  # a token that cannot be written would be lost
    try:
        made = tokens.create(new)
    except EdgefleetError:
        if out is not None:
            out.unlink(missing_ok=True)
        raise
    address = EnrolmentAddress(made["url"], made["ca_sha256"], made["warning"])
    if out is not None:
        try:
            write_atomic(out, f"{made.pop('token')}\n".encode(), 0o600)
        except (OSError, EdgefleetError):
            tokens.revoke(made["id"])  # it is in no file
            out.unlink(missing_ok=True)
            raise
        made |= {"token_file": str(out), "command": address.command_with_file(arguments.device, out.name)}
    if arguments.json:
        print_json(made)
        return 0
    print(made["command"])
    if arguments.qr:
        _draw(made["command"])
    if out is not None:
        print(f"copy {out} to the device, run the line there beside it, then delete the file", file=sys.stderr)
    lasts = span(made["expires_at"] - made["created_at"])
    whom = arguments.device or ("one device" if new.devices == 1 else f"{new.devices:,} devices")
    after = ", after approval with `edgefleet token approve`" if new.approval else ""
    print(f"token {made['id']} enrolls {whom}, {'each ' * (new.devices > 1)}once, within {lasts}{after}", file=sys.stderr)
    if address.warning:
        print(f"warning: {address.warning}", file=sys.stderr)
    return 0


def _draw(text: str) -> None:
    """Draw a QR code: two modules a character where the output has block characters, else two spaces a module. A terminal gets
    its colours with it: white on black, whatever its own are."""
    code = segno.make(text, error="l", micro=False)
    if str(sys.stdout.encoding).lower().replace("-", "") != "utf8":
        code.terminal(sys.stdout, border=QR_BORDER)
        return
    drawn = io.StringIO()
    code.terminal(drawn, border=QR_BORDER, compact=True)
    begin, end = ("\x1b[97;40m", "\x1b[0m") if sys.stdout.isatty() else ("", "")
    for line in drawn.getvalue().splitlines():
        print(f"{begin}{line}{end}")


def _list(tokens: _AtServer | _OnDisk, arguments: argparse.Namespace) -> int:
    items = tokens.rows()
    if arguments.json:
        print_json({"items": items})
        return 0
    rows = [
        [row["id"], _state(row), row["device"] or "any", " ".join(f"{k}={v}" for k, v in row["labels"].items())] for row in items
    ]
    print_table(("ID", "STATE", "DEVICE", "LABELS"), rows)
    return 0


def _state(row: dict[str, Any]) -> str:
    devices, left_s = row.get("devices_max", 1), row["expires_at"] - time.time()
    if devices == 1 and row["used_at"] is not None:
        return f"used by {row['used_by']}"
    used = f", {row['uses']:,} of {devices:,} devices" if devices > 1 else ""
    waiting = f", {row['waiting']:,} waiting for approval" if row.get("waiting") else ""
    if row["revoked_at"] is not None:
        return f"revoked{used}"
    if used and row["uses"] >= devices:
        return f"used up{used}"
    return f"valid for {span(left_s)}{used}{waiting}" if left_s > 0 else f"expired{used}"


def _revoke(tokens: _AtServer | _OnDisk, arguments: argparse.Namespace) -> int:
    tokens.revoke(arguments.id)
    print(f"token {arguments.id} revoked")
    return 0
