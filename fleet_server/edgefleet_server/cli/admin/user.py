"""`edgefleet user add NAME | list | set NAME | grant NAME | ungrant NAME | remove NAME | token create | list | revoke`.

With `--data DIR` it works on a data folder instead of a server, for example to create the first administrator.
"""

from __future__ import annotations

import argparse
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from edgefleet_client.schemas.people import ApiTokenRequest, RoleGrant, UserPatch, UserRequest
from edgefleet_contract.core.command_line import add_command, finite
from edgefleet_server.cli.admin.table_output import new_database, note, open_database, readable_database
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say, span
from edgefleet_server.cli.login import ask_password
from edgefleet_server.cli.parsers import REPEATABLE, add_instead_argument, local_data
from edgefleet_server.core.errors import InputError, NotFoundError
from edgefleet_server.db.backend.engine import Connection
from edgefleet_server.db.devices import device_scopes
from edgefleet_server.db.people import credentials, people
from edgefleet_server.domain.policy import passwords
from edgefleet_server.domain.policy.grants import Grants, grants_of, roles_text
from edgefleet_server.domain.policy.roles import SCOPE_PATTERN, SCOPES, USER_PATTERN, Role, least

DAY_S: Final = 86_400.0
ROLES: Final = tuple(role.value for role in Role)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = add_command(commands, "add", "Add a user", "edgefleet user add alice --role operator")
    add.add_argument("name", help="User name")
    add.add_argument("--role", choices=ROLES, default=Role.VIEWER.value, help="Role (default: %(default)s)")
    change = add_command(
        commands,
        "set",
        "Change the role or password of a user, disable or enable the user",
        "edgefleet user set alice --role admin",
    )
    change.add_argument("name", help="User name")
    change.add_argument("--role", choices=ROLES, help="New role")
    change.add_argument("--password", action="store_true", help="Ask for a new password; ends all sessions of the user")
    access = change.add_mutually_exclusive_group()
    access.add_argument("--disable", action="store_const", const=True, dest="disabled", help="Reject sign-in and API tokens")
    access.add_argument("--enable", action="store_const", const=False, dest="disabled", help="Allow sign-in and API tokens")
    grant = add_command(
        commands,
        "grant",
        "Give a user a further role, for all devices or for groups",
        "edgefleet user grant alice --role operator --group lyon",
    )
    grant.add_argument("--role", choices=ROLES, required=True, help="Role")
    ungrant = add_command(
        commands,
        "ungrant",
        "Take the role for all devices or for groups from a user",
        "edgefleet user ungrant alice --group lyon",
    )
    for child in (grant, ungrant):
        child.add_argument("name", help="User name")
    for child in (add, change, grant, ungrant):
        child.add_argument(
            "--group", action="append", default=[], metavar="G", help=f"Only for the devices of this group {REPEATABLE}"
        )
    for child in (add, change):
        child.add_argument("--password-stdin", action="store_true", help="Read the password from stdin")
    listing = add_command(commands, "list", "List users", "edgefleet user list --data ./fleet")
    remove = add_command(commands, "remove", "Remove a user, all sessions and API tokens included", "edgefleet user remove alice")
    remove.add_argument("name", help="User name")
    tokens = add_command(commands, "token", "Manage API tokens").add_subparsers(
        dest="token_action", metavar="ACTION", required=True
    )
    create = add_command(
        tokens,
        "create",
        "Create an API token for yourself and print its secret once",
        "edgefleet user token create ci --role operator --scope rollouts --days 30",
    )
    create.add_argument("name", help="Token name")
    create.add_argument("--role", choices=ROLES, default=Role.VIEWER.value, help="Role (default: %(default)s)")
    create.add_argument(
        "--scope", action="append", default=[], metavar="PART",
        help="Limit to this scope, for example devices or rollouts:read; with propose, changes wait for the approval of a"
        f" person {REPEATABLE}",
    )  # fmt: skip
    create.add_argument(
        "--group", action="append", default=[], metavar="G", help=f"Limit to the devices of this group {REPEATABLE}"
    )
    create.add_argument("--days", type=finite, default=90.0, help="Validity in days (default: %(default)s)")
    create.add_argument("--user", help="Owner of the token; only with --data")
    shown = add_command(tokens, "list", "List your API tokens; as an admin, those of all users", "edgefleet user token list")
    revoke = add_command(tokens, "revoke", "Revoke an API token", "edgefleet user token revoke 3f9a1c")
    revoke.add_argument("id", help="Token ID, as listed by `edgefleet user token list`")
    for child in (add, change, grant, ungrant, listing, remove, create, shown, revoke):
        add_instead_argument(child, "Work on this data folder instead of a server")
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    action = f"token_{arguments.token_action}" if arguments.action == "token" else arguments.action
    if local_data(arguments) is not None:
        return _LOCAL[action](arguments)
    with_server = {
        "add": _add,
        "set": _set,
        "grant": _grant,
        "ungrant": _grant,
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
    password = ask_password(f"Password for {arguments.name}: ", arguments.password_stdin, twice=True)
    roles: UserRequest = {"name": arguments.name, "password": password}
    if arguments.group:
        roles["grants"] = _named(arguments)
    else:
        roles["role"] = arguments.role
    user = client.people.create_user(roles)
    return say(user, arguments, f"{user['name']} added as {roles_text(user)}")


def _set(client: Client, arguments: argparse.Namespace) -> int:
    user = client.people.change_user(arguments.name, cast("UserPatch", _changes(arguments)))
    disabled = ", disabled" if user["disabled"] else ""
    return say(user, arguments, f"{user['name']} is {roles_text(user)}{disabled}")


def _grant(client: Client, arguments: argparse.Namespace) -> int:
    grants = _changed(arguments, client.people.iterate_users())
    user = client.people.change_user(arguments.name, {"grants": grants})
    return say(user, arguments, f"{user['name']} is {roles_text(user)}")


def _list(client: Client, arguments: argparse.Namespace) -> int:
    return _show_users(arguments, list(client.people.iterate_users()))


def _remove(client: Client, arguments: argparse.Namespace) -> int:
    client.people.delete_user(arguments.name)
    return say({}, arguments, f"{arguments.name} removed")


def _create_token(client: Client, arguments: argparse.Namespace) -> int:
    if arguments.user:
        raise InputError("--user requires --data; on a server, you can only create your own API tokens")
    body: ApiTokenRequest = {
        "name": arguments.name,
        "role": arguments.role,
        "expires_s": arguments.days * DAY_S,
        "scopes": arguments.scope,
    }
    if arguments.group:
        body["groups"] = arguments.group
    return _show_secret(arguments, client.people.create_api_token(body))


def _list_tokens(client: Client, arguments: argparse.Namespace) -> int:
    return _show_tokens(arguments, list(client.people.iterate_api_tokens()))


def _revoke_token(client: Client, arguments: argparse.Namespace) -> int:
    client.people.revoke_api_token(arguments.id)
    return say({}, arguments, f"API token {arguments.id} revoked")


# -- on a data folder


def _local_add(arguments: argparse.Namespace) -> int:
    password = ask_password(f"Password for {arguments.name}: ", arguments.password_stdin, twice=True)
    _check_name(arguments.name)
    hashed = _hash(arguments.name, password)
    with new_database(arguments.data) as database, database.write() as connection:
        people.add(connection, arguments.name, _checked_grants(connection, _named(arguments)), hashed, time.time())
        user = {"name": arguments.name, "role": arguments.role, "grants": _named(arguments)}
        note(connection, "create_user", f"/users/{arguments.name}", user)
    return say(user, arguments, f"{arguments.name} added as {roles_text(user)}")


def _local_set(arguments: argparse.Namespace) -> int:
    changes = _changes(arguments)
    password = changes.pop("password", None)
    hashed = None if password is None else _hash(arguments.name, password)
    grants = changes.get("grants") or ([{"role": changes["role"]}] if "role" in changes else None)
    with open_database(arguments.data) as database, database.write() as connection:
        found = _checked_grants(connection, grants) if grants else None
        people.change(connection, arguments.name, grants=found, password=hashed, disabled=changes.get("disabled"))
        shown = {**changes, **({"password": "(hidden)"} if hashed else {})}
        note(connection, "change_user", f"/users/{arguments.name}", shown)
    return say(shown, arguments, f"{arguments.name} changed")


def _local_grant(arguments: argparse.Namespace) -> int:
    with open_database(arguments.data) as database, database.write() as connection:
        grants = _changed(arguments, people.list_all(connection))
        people.change(connection, arguments.name, grants=_checked_grants(connection, grants))
        user = {"name": arguments.name, "grants": grants}
        note(connection, "change_user", f"/users/{arguments.name}", user)
    return say(user, arguments, f"{arguments.name} is {roles_text(user)}")


def _checked_grants(connection: Connection, rows: Sequence[RoleGrant]) -> Grants:
    grants = grants_of((Role(row["role"]), row.get("group")) for row in rows)
    device_scopes.check_groups(connection, grants.groups)
    return grants


def _local_list(arguments: argparse.Namespace) -> int:
    with readable_database(arguments.data) as database, database.read() as connection:
        return _show_users(arguments, people.list_all(connection))


def _local_remove(arguments: argparse.Namespace) -> int:
    with open_database(arguments.data) as database, database.write() as connection:
        people.remove(connection, arguments.name)
        note(connection, "delete_user", f"/users/{arguments.name}", {})
    return say({}, arguments, f"{arguments.name} removed")


def _local_create_token(arguments: argparse.Namespace) -> int:
    if not arguments.user:
        raise InputError("--user is missing; specify the owner of the token, or --server URL to ask that server")
    token, secret, proof = credentials.new_token()
    now = time.time()
    with open_database(arguments.data) as database, database.write() as connection:
        owner = people.find(connection, arguments.user)
        if owner is None:
            raise NotFoundError(f"no user {arguments.user!r}; `edgefleet user list --data {arguments.data}` lists the users")
        record = {
            "id": token,
            "user": owner.name,
            "name": arguments.name,
            "role": least(owner.grants.highest, Role(arguments.role)).value,
            "scopes": _checked(arguments.scope),
            "groups": arguments.group,
            "created_at": now,
            "expires_at": now + arguments.days * DAY_S,
            "used_at": None,
        }
        device_scopes.check_groups(connection, arguments.group)
        credentials.add_token(connection, {**record, "hash": proof})
        note(connection, "create_api_token", "/api-tokens", record)
    return _show_secret(arguments, {**record, "secret": secret})


def _checked(scopes: list[str]) -> list[str]:
    for scope in scopes:
        if not re.match(SCOPE_PATTERN, scope):
            raise InputError(f"--scope {scope!r}: must be one of {', '.join(SCOPES)}, optionally followed by :read, or propose")
    return scopes


def _local_list_tokens(arguments: argparse.Namespace) -> int:
    with readable_database(arguments.data) as database, database.read() as connection:
        return _show_tokens(arguments, credentials.tokens(connection))


def _local_revoke_token(arguments: argparse.Namespace) -> int:
    with open_database(arguments.data) as database, database.write() as connection:
        credentials.revoke_token(connection, arguments.id)
        note(connection, "revoke_api_token", f"/api-tokens/{arguments.id}", {})
    return say({}, arguments, f"API token {arguments.id} revoked")


_LOCAL: Final = {
    "add": _local_add,
    "set": _local_set,
    "grant": _local_grant,
    "ungrant": _local_grant,
    "list": _local_list,
    "remove": _local_remove,
    "token_create": _local_create_token,
    "token_list": _local_list_tokens,
    "token_revoke": _local_revoke_token,
}


# -- both


def _changes(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.group and not arguments.role:
        raise InputError("--role is missing; specify the role for --group")
    roles = {"grants": _named(arguments)} if arguments.group else {"role": arguments.role}
    changes: dict[str, Any] = {**roles, "disabled": arguments.disabled}
    if arguments.password or arguments.password_stdin:
        changes["password"] = ask_password(f"New password for {arguments.name}: ", arguments.password_stdin, twice=True)
    found = {key: value for key, value in changes.items() if value is not None}
    if not found:
        raise InputError("nothing to change; specify --role, --password, --disable or --enable")
    return found


def _named(arguments: argparse.Namespace) -> list[RoleGrant]:
    """The role of the arguments, for all devices or for each of their groups."""
    return [{"role": arguments.role, "group": group} for group in arguments.group or [None]]


def _changed(arguments: argparse.Namespace, users: Iterable[Mapping[str, Any]]) -> list[RoleGrant]:
    """The roles of a user with those of the arguments, or without those for their groups.

    Raises:
        InputError: no role would be left, or the user does not have one.
        NotFoundError: there is no such user.
    """
    user = next((one for one in users if one["name"] == arguments.name), None)
    if user is None:
        raise NotFoundError(f"no user {arguments.name!r}; `edgefleet user list` lists the users")
    groups = arguments.group or [None]
    held = user.get("grants") or [{"role": user["role"], "group": None}]
    rest = [grant for grant in held if grant.get("group") not in groups]
    if arguments.action == "grant":
        return [*rest, *_named(arguments)]
    if len(held) - len(rest) != len(groups):
        raise InputError(f"{arguments.name} is {roles_text(user)}; specify with --group one of these groups")
    if not rest:
        raise InputError("a user needs a role; use `edgefleet user set NAME --disable` or `edgefleet user remove NAME`")
    return rest


def _check_name(name: str) -> None:
    if not re.fullmatch(USER_PATTERN, name):
        raise InputError(f"user name {name!r}: must be lower-case letters, digits and . _ -, and begin with a letter")


def _hash(name: str, password: str) -> str:
    passwords.check_strength(name, password)
    return passwords.hash_password(password, secrets.token_bytes(passwords.SALT_BYTES))


def _show_users(arguments: argparse.Namespace, users: Sequence[Mapping[str, Any]]) -> int:
    if arguments.json:
        print_json({"items": users})
        return 0
    now = time.time()
    rows = [
        (
            user["name"],
            roles_text(user),
            "disabled" if user["disabled"] else "",
            f"{span(now - user['seen_at'])} ago" if user["seen_at"] else "-",
            user["sessions"],
        )
        for user in users
    ]
    print_table(("NAME", "ROLE", "STATE", "LAST SEEN", "SESSIONS"), rows)
    return 0


def _show_tokens(arguments: argparse.Namespace, tokens: Sequence[Mapping[str, Any]]) -> int:
    if arguments.json:
        print_json({"items": tokens})
        return 0
    now = time.time()
    rows = [
        (
            token["id"],
            token["user"],
            token["name"],
            roles_text(token),
            "expired" if token["expires_at"] <= now else f"in {span(token['expires_at'] - now)}",
            f"{span(now - token['used_at'])} ago" if token["used_at"] else "-",
        )
        for token in tokens
    ]
    print_table(("ID", "USER", "NAME", "ROLE", "EXPIRES", "LAST USED"), rows)
    return 0


def _show_secret(arguments: argparse.Namespace, token: Mapping[str, Any]) -> int:
    if arguments.json:
        print_json(token)
        return 0
    print(f"API token {token['id']} of {token['user']} ({roles_text(token)}); the secret is not shown again:")
    print(token["secret"])
    return 0
