"""Roles of users for groups, and the groups that users and API tokens have them for."""

from __future__ import annotations

import json
from collections.abc import Mapping

from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.roles import Role, least


def of(db: Driver, user: str, role: str) -> Grants:
    """The roles of a user. `role`: that for all devices, empty = none."""
    everywhere = Role(role) if role else None
    rows = db.execute('SELECT device_group, role FROM user_grant WHERE "user" = ?', (user,))
    return Grants(everywhere, {group: least(Role(granted), Role.OPERATOR) for group, granted in rows})


def by_user(db: Driver) -> dict[str, dict[str, str]]:
    """The roles for groups of all users, by name and group."""
    found: dict[str, dict[str, str]] = {}
    for user, group, role in db.execute('SELECT "user", device_group, role FROM user_grant ORDER BY device_group'):
        found.setdefault(user, {})[group] = role
    return found


def replace(db: Driver, user: str, groups: Mapping[str, Role]) -> None:
    """Give a user exactly these roles for groups."""
    db.execute('DELETE FROM user_grant WHERE "user" = ?', (user,))
    rows = [(user, group, role.value) for group, role in groups.items()]
    db.executemany('INSERT INTO user_grant ("user", device_group, role) VALUES (?, ?, ?)', rows)


def groups(db: Driver) -> frozenset[str]:
    """All groups that a user or an API token has a role for: their members are rights."""
    return frozenset(_users(db))


def holders(db: Driver, group: str) -> list[str]:
    """The users and API tokens with a role for a group, as text."""
    return _users(db).get(group, [])


def _users(db: Driver) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for user, group in db.execute('SELECT "user", device_group FROM user_grant ORDER BY "user"'):
        found.setdefault(group, []).append(f"the role of user {user!r}")
    for name, user, names in db.execute('SELECT name, "user", groups FROM api_token ORDER BY id'):
        for group in json.loads(names):
            found.setdefault(group, []).append(f"API token {name!r} of {user!r}")
    return found
