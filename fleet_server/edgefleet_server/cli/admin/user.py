"""`edgefleet user add NAME | list | set NAME | remove NAME | token create | token list | token revoke`.

With `--data DIR` it works on a data folder instead of a server, for example to create the first administrator.
"""

from __future__ import annotations

import argparse
import re
import secrets
import time
from pathlib import Path
from typing import Any, Final

from edgefleet_server.cli.admin.table_output import note, open_database
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say, span
from edgefleet_server.cli.login import ask_password
from edgefleet_server.core.errors import InputError, NotFoundError
from edgefleet_server.db.people import credentials, people
from edgefleet_server.domain.policy import passwords
from edgefleet_server.domain.policy.roles import SCOPE_PATTERN, SCOPES, USER_PATTERN, Role, least

DAY_S: Final = 86_400.0
ROLES: Final = tuple(role.value for role in Role)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = commands.add_parser("add", help="add a user")
    add.add_argument("name")
    add.add_argument("--role", choices=ROLES, default=Role.VIEWER.value, help="what the user may do (default: %(default)s)")
    change = commands.add_parser("set", help="change the role or password of a user, disable or enable")
    change.add_argument("name")
    change.add_argument("--role", choices=ROLES)
    change.add_argument("--password", action="store_true", help="ask for a new password; ends every session of the user")
    access = change.add_mutually_exclusive_group()
    access.add_argument("--disable", action="store_const", const=True, dest="disabled", help="no sign-in, no token works")
    access.add_argument("--enable", action="store_const", const=False, dest="disabled")
    for child in (add, change):
        child.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
    listing = commands.add_parser("list", help="everybody who may sign in")
    remove = commands.add_parser("remove", help="remove a user with every session and token")
    remove.add_argument("name")
    tokens = commands.add_parser("token", help="API tokens: secrets for programs").add_subparsers(
        dest="token_action", metavar="ACTION", required=True
    )
    create = tokens.add_parser("create", help="make one of your own; its secret is shown once")
    create.add_argument("name", help="what it is for")
    create.add_argument("--role", choices=ROLES, default=Role.VIEWER.value, help="what it may do (default: %(default)s)")
    create.add_argument("--scope", action="append", default=[], metavar="PART", help="only this part: devices, rollouts:read, …")
    create.add_argument("--days", type=float, default=90.0, help="how long it works (default: %(default)s)")
    create.add_argument("--user", help="whose it is; only with --data")
    shown = tokens.add_parser("list", help="yours; an administrator sees everybody's")
    revoke = tokens.add_parser("revoke", help="end one")
    revoke.add_argument("id")
    for child in (add, change, listing, remove, create, shown, revoke):
        child.add_argument("--data", type=Path, metavar="DIR", help="work on this data folder, not on a server")
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    action = f"token_{arguments.token_action}" if arguments.action == "token" else arguments.action
    if arguments.data is not None:
        return _LOCAL[action](arguments)
    with_server = {
        "add": _add,
        "set": _set,
        "list": _list,
        "remove": _remove,
        "token_create": _create_token,
        "token_list": _list_tokens,
        "token_revoke": _revoke_token,
    }
    with Client(arguments.server) as client:
        return with_server[action](client, arguments)


# -- over the REST API


def _add(client: Client, arguments: argparse.Namespace) -> int:
    password = ask_password(f"Password of {arguments.name}: ", arguments.password_stdin, twice=True)
    user = client.post("/users", {"name": arguments.name, "role": arguments.role, "password": password})
    return say(user, arguments, f"{user['name']} may sign in now, as {user['role']}")


def _set(client: Client, arguments: argparse.Namespace) -> int:
    user = client.patch(f"/users/{arguments.name}", _changes(arguments))
    disabled = ", disabled" if user["disabled"] else ""
    return say(user, arguments, f"{user['name']} is {user['role']}{disabled}")


def _list(client: Client, arguments: argparse.Namespace) -> int:
    return _show_users(arguments, client.get("/users")["items"])


def _remove(client: Client, arguments: argparse.Namespace) -> int:
    client.delete(f"/users/{arguments.name}")
    return say({}, arguments, f"{arguments.name} is removed")


def _create_token(client: Client, arguments: argparse.Namespace) -> int:
    if arguments.user:
        raise InputError("--user goes with --data; over a server a token is always your own")
    body = {"name": arguments.name, "role": arguments.role, "expires_s": arguments.days * DAY_S, "scopes": arguments.scope}
    return _show_secret(arguments, client.post("/api-tokens", body))


def _list_tokens(client: Client, arguments: argparse.Namespace) -> int:
    return _show_tokens(arguments, client.get("/api-tokens")["items"])


def _revoke_token(client: Client, arguments: argparse.Namespace) -> int:
    client.delete(f"/api-tokens/{arguments.id}")
    return say({}, arguments, f"API token {arguments.id} is revoked")


# -- on a data folder


def _local_add(arguments: argparse.Namespace) -> int:
    password = ask_password(f"Password of {arguments.name}: ", arguments.password_stdin, twice=True)
    _check_name(arguments.name)
    hashed = _hash(arguments.name, password)
    with open_database(arguments.data) as database, database.write() as connection:
        people.add(connection, arguments.name, Role(arguments.role), hashed, time.time())
        note(connection, "create_user", f"/users/{arguments.name}", {"name": arguments.name, "role": arguments.role})
    user = {"name": arguments.name, "role": arguments.role}
    return say(user, arguments, f"{arguments.name} may sign in now, as {arguments.role}")


def _local_set(arguments: argparse.Namespace) -> int:
    changes = _changes(arguments)
    password = changes.pop("password", None)
    hashed = None if password is None else _hash(arguments.name, password)
    role = changes.get("role")
    with open_database(arguments.data) as database, database.write() as connection:
        people.change(
            connection, arguments.name, role=Role(role) if role else None, password=hashed, disabled=changes.get("disabled")
        )
        shown = {**changes, **({"password": "(hidden)"} if hashed else {})}
        note(connection, "change_user", f"/users/{arguments.name}", shown)
    return say(shown, arguments, f"{arguments.name} is changed")


def _local_list(arguments: argparse.Namespace) -> int:
    with open_database(arguments.data) as database, database.read() as connection:
        return _show_users(arguments, people.list_all(connection))


def _local_remove(arguments: argparse.Namespace) -> int:
    with open_database(arguments.data) as database, database.write() as connection:
        people.remove(connection, arguments.name)
        note(connection, "delete_user", f"/users/{arguments.name}", {})
    return say({}, arguments, f"{arguments.name} is removed")


def _local_create_token(arguments: argparse.Namespace) -> int:
    if not arguments.user:
        raise InputError("say whose token it is with --user NAME")
    token, secret, proof = credentials.new_token()
    now = time.time()
    with open_database(arguments.data) as database, database.write() as connection:
        owner = people.find(connection, arguments.user)
        if owner is None:
            raise NotFoundError(f"no user {arguments.user!r}; `edgefleet user list --data {arguments.data}` shows them")
        record = {
            "id": token,
            "user": owner.name,
            "name": arguments.name,
            "role": least(owner.role, Role(arguments.role)).value,
            "scopes": _checked(arguments.scope),
            "created_at": now,
            "expires_at": now + arguments.days * DAY_S,
            "used_at": None,
        }
        credentials.add_token(connection, {**record, "hash": proof})
        note(connection, "create_api_token", "/api-tokens", record)
    return _show_secret(arguments, {**record, "secret": secret})


def _checked(scopes: list[str]) -> list[str]:
    for scope in scopes:
        if not re.match(SCOPE_PATTERN, scope):
            raise InputError(f"--scope {scope!r}: there are {', '.join(SCOPES)}, each with or without :read")
    return scopes


def _local_list_tokens(arguments: argparse.Namespace) -> int:
    with open_database(arguments.data) as database, database.read() as connection:
        return _show_tokens(arguments, credentials.tokens(connection))


def _local_revoke_token(arguments: argparse.Namespace) -> int:
    with open_database(arguments.data) as database, database.write() as connection:
        credentials.revoke_token(connection, arguments.id)
        note(connection, "revoke_api_token", f"/api-tokens/{arguments.id}", {})
    return say({}, arguments, f"API token {arguments.id} is revoked")


_LOCAL: Final = {
    "add": _local_add,
    "set": _local_set,
    "list": _local_list,
    "remove": _local_remove,
    "token_create": _local_create_token,
    "token_list": _local_list_tokens,
    "token_revoke": _local_revoke_token,
}


# -- both


def _changes(arguments: argparse.Namespace) -> dict[str, Any]:
    changes: dict[str, Any] = {"role": arguments.role, "disabled": arguments.disabled}
    if arguments.password or arguments.password_stdin:
        changes["password"] = ask_password(f"New password of {arguments.name}: ", arguments.password_stdin, twice=True)
    found = {key: value for key, value in changes.items() if value is not None}
    if not found:
        raise InputError("nothing to change; give --role, --password, --disable or --enable")
    return found


def _check_name(name: str) -> None:
    if not re.fullmatch(USER_PATTERN, name):
        raise InputError(f"user name {name!r}: lower-case letters, digits and . _ -, beginning with a letter")


def _hash(name: str, password: str) -> str:
    passwords.check_strength(name, password)
    return passwords.hash_password(password, secrets.token_bytes(passwords.SALT_BYTES))


def _show_users(arguments: argparse.Namespace, users: list[dict[str, Any]]) -> int:
    if arguments.json:
        print_json({"items": users})
        return 0
    now = time.time()
    rows = [
        (
            user["name"],
            user["role"],
            "disabled" if user["disabled"] else "",
            f"{span(now - user['seen_at'])} ago" if user["seen_at"] else "-",
            user["sessions"],
        )
        for user in users
    ]
    print_table(("NAME", "ROLE", "STATE", "SEEN", "SESSIONS"), rows)
    return 0


def _show_tokens(arguments: argparse.Namespace, tokens: list[dict[str, Any]]) -> int:
    if arguments.json:
        print_json({"items": tokens})
        return 0
    now = time.time()
    rows = [
        (
            token["id"],
            token["user"],
            token["name"],
            token["role"],
            "expired" if token["expires_at"] <= now else f"in {span(token['expires_at'] - now)}",
            f"{span(now - token['used_at'])} ago" if token["used_at"] else "-",
        )
        for token in tokens
    ]
    print_table(("ID", "USER", "NAME", "ROLE", "EXPIRES", "USED"), rows)
    return 0


def _show_secret(arguments: argparse.Namespace, token: dict[str, Any]) -> int:
    if arguments.json:
        print_json(token)
        return 0
    print(f"API token {token['id']} of {token['user']} ({token['role']}); this is the only time its secret is shown:")
    print(token["secret"])
    return 0
