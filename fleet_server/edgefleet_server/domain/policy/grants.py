"""Roles for all devices and for groups. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.policy.roles import Role, least

GRANTS_MAX: Final = 50
"""Limit of the groups of one user or API token."""


@dataclass(frozen=True, slots=True)
class Grants:
    """Roles: for all devices (`everywhere`, None = none), and by group. A device counts with the highest that applies to it."""

    everywhere: Role | None = None
    groups: Mapping[str, Role] = field(default_factory=dict)

    @property
    def highest(self) -> Role:
        """The highest of the roles. Without any it is viewer, of no device."""
        return max((*filter(None, (self.everywhere,)), *self.groups.values(), Role.VIEWER), key=list(Role).index)

    def everywhere_as(self, role: Role) -> bool:
        """Whether the caller has a role for all devices."""
        return self.everywhere is not None and self.everywhere.covers(role)

    def groups_as(self, role: Role) -> frozenset[str]:
        """The groups for which the caller has a role."""
        return frozenset(name for name, granted in self.groups.items() if granted.covers(role))

    def limited_to(self, role: Role, groups: Iterable[str] = ()) -> Grants:
        """The part of these roles that a token with a role has: for its groups, or without any for all that its owner has."""
        names = tuple(groups)
        if not names:
            everywhere = None if self.everywhere is None else least(self.everywhere, role)
            return Grants(everywhere, {name: least(granted, role) for name, granted in self.groups.items()})
        found: dict[str, Role] = {}
        for name in names:
            owned = [one for one in (self.everywhere, self.groups.get(name)) if one is not None]
            if owned:
                found[name] = least(max(owned, key=list(Role).index), role)
        return Grants(None, found)


def joined(parts: Iterable[Grants]) -> Grants:
    """All roles of several: for all devices and for each group the highest."""
    found: dict[str, Role] = {}
    everywhere: Role | None = None
    for part in parts:
        if part.everywhere is not None:
            everywhere = _higher(everywhere, part.everywhere)
        for name, role in part.groups.items():
            found[name] = _higher(found.get(name), role)
    return Grants(everywhere, found)


def _higher(first: Role | None, second: Role) -> Role:
    return first if first is not None and first.covers(second) else second


def parse_grant(text: str) -> Grants:
    """A role as text: `operator`, or `operator:GROUP` for the devices of a group.

    Raises:
        InputError: it is none.
    """
    name, limited, group = text.partition(":")
    try:
        role = Role(name)
    except ValueError as error:
        raise InputError(f"{text!r}: the role must be admin, operator or viewer, or with :GROUP operator or viewer") from error
    if not limited:
        return Grants(role)
    if not re.fullmatch(NAME_PATTERN, group):
        raise InputError(f"{text!r}: {group!r} is no name of a group")
    check_grants(None, {group: role})
    return Grants(None, {group: role})


def grants_of(rows: Iterable[tuple[Role, str | None]]) -> Grants:
    """Roles of (role, group); without a group for all devices.

    Raises:
        InputError: one group, or all devices, have two.
    """
    found: dict[str | None, Role] = {}
    for role, group in rows:
        if group in found:
            raise InputError("grants: each group, and all devices, at most once")
        found[group] = role
    return Grants(found.get(None), {name: role for name, role in found.items() if name is not None})


def roles_text(holder: Mapping[str, Any]) -> str:
    """The roles of a user or API token, as the REST API has them, as text."""
    if holder.get("groups"):
        return f"{holder['role']} for {', '.join(holder['groups'])}"
    held = holder.get("grants") or [{"role": holder["role"]}]
    return ", ".join(f"{one['role']} for {one['group']}" if one.get("group") else str(one["role"]) for one in held)


def check_grants(everywhere: Role | None, groups: Mapping[str, Role]) -> None:
    """Check the roles that an administrator gives a user.

    Raises:
        InputError: there is none, or a group has the role of an administrator.
    """
    if everywhere is None and not groups:
        raise InputError("grants: empty; give a role for all devices or for a group")
    if Role.ADMIN in groups.values():
        raise InputError("grants: role admin is for all devices only; give operator or viewer for a group")
    if len(groups) > GRANTS_MAX:
        raise InputError(f"grants: {len(groups)} groups exceed the limit of {GRANTS_MAX}")
