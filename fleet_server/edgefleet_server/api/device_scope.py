"""The devices of a request: those for which its caller has the role that the operation requires."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Request

from edgefleet_server.api.schemas.rollouts.rollout_terms import Selector
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import DeniedError, NotFoundError
from edgefleet_server.db.backend.engine import Connection, Database
from edgefleet_server.db.devices import device_scopes
from edgefleet_server.db.devices.device_labels import UNKNOWN
from edgefleet_server.db.devices.groups import NO_GROUP
from edgefleet_server.db.rollouts import rollouts
from edgefleet_server.db.telemetry.alerts import NUMBER_MAX
from edgefleet_server.domain.fleet.alerts import device_of, rollout_of
from edgefleet_server.domain.policy.roles import NEEDED, REACHES, Reach, Role


@dataclass(frozen=True, slots=True)
class DeviceScope:
    """`ids`: the devices, None = all. `groups`: the groups that they are in, None = all devices."""

    ids: frozenset[str] | None = None
    groups: frozenset[str] | None = None

    @property
    def is_all(self) -> bool:
        """Whether it has all devices, later ones included."""
        return self.groups is None

    def has(self, device: str) -> bool:
        """Whether a device is one of them."""
        return self.ids is None or device in self.ids

    def check_group(self, group: str | None) -> None:
        """Check that a group, if one is named, is one of them.

        Raises:
            NotFoundError: it is not, or does not exist; the text does not reveal which.
        """
        if group and self.groups is not None and group not in self.groups:
            raise NotFoundError(NO_GROUP.format(group))

    def check(self, device: str) -> None:
        """Check that a device is one of them.

        Raises:
            NotFoundError: it is not, or does not exist; the text does not reveal which.
        """
        if not self.has(device):
            raise NotFoundError(UNKNOWN.format(device))


EVERYTHING: Final = DeviceScope()
NOTHING: Final = DeviceScope(frozenset(), frozenset())


def scope_for(database: Database, caller: Caller, role: Role) -> DeviceScope:
    """The devices for which a caller has a role."""
    if caller.grants.everywhere_as(role):
        return EVERYTHING
    groups = caller.grants.groups_as(role)
    with database.read() as connection:
        return DeviceScope(device_scopes.devices_of(connection, groups), groups)


def check_reach(database: Database, caller: Caller, operation: str, named: Mapping[str, str]) -> DeviceScope:
    """Check that a caller has the role of an operation for the devices that it is about, as far as its path names them; returns
    those that its route may use. `named`: the objects in the path.

    Raises:
        DeniedError: the role is needed for all devices, or for this object, which the caller may only see.
        NotFoundError: the caller may not see the object, or there is none.
    """
    role, reach = NEEDED[operation], REACHES[operation]
    if role is None or caller.grants.everywhere_as(role):
        return EVERYTHING
    if reach is Reach.NONE:
        return NOTHING
    groups = caller.grants.groups_as(role)
    if reach is Reach.LISTED:
        return scope_for(database, caller, role)
    if reach is Reach.FLEET:
        raise DeniedError(f"{operation} is about all devices; your role {role.value} is limited to {_named(groups)}")
    name = named[reach.value]
    with database.read() as connection:
        if _is_in(connection, reach, name, groups):
            return DeviceScope(frozenset({name}) if reach is Reach.DEVICE else frozenset(), groups)
        if caller.grants.everywhere or _is_in(connection, reach, name, frozenset(caller.grants.groups)):
            raise DeniedError(
                f"{operation} requires role {role.value} for {reach.value} {name}; you have it for {_named(groups)}"
            )
    raise NotFoundError((UNKNOWN if reach is Reach.DEVICE else rollouts.UNKNOWN).format(name))


def _is_in(connection: Connection, reach: Reach, name: str, groups: frozenset[str]) -> bool:
    """Whether the device, or all devices of the rollout, are in these groups."""
    if reach is Reach.DEVICE:
        return bool(device_scopes.groups_of(connection, name, groups))
    return name.isdecimal() and bool(rollouts.of_groups(connection, groups, min(int(name), NUMBER_MAX)))


def confined(selector: Selector, scope: DeviceScope) -> Selector:
    """A selector that takes devices of the caller only, now and later.

    Raises:
        NotFoundError: it names a group that is none of the caller's.
    """
    if scope.groups is None:
        return selector
    for name in (selector.group, *selector.within):
        scope.check_group(name)
    return selector.model_copy(update={"within": sorted(selector.within or scope.groups)})


def check_move(connection: Connection, scope: DeviceScope, device: str, before: frozenset[str]) -> None:
    """Check a change of the labels of a device, which may have moved it between groups that users have roles for. `before`: the
    ones that it was in. The caller needs the role for both sides.

    Raises:
        DeniedError: it lacks the role for one of them.
    """
    if scope.groups is None:
        return
    after = device_scopes.granted_groups_of(connection, device)
    if others := (before ^ after) - scope.groups:
        raise DeniedError(
            f"these labels would move {device!r} into or out of {_named(others)}; you need role operator there, too"
        )
    if not after & scope.groups:
        raise DeniedError(
            f"these labels would move {device!r} out of {_named(scope.groups)}; you need role operator for all devices"
        )


def subject_filter(connection: Connection, scope: DeviceScope) -> Callable[[str], bool]:
    """Whether the subject of an alert is a device or rollout of the caller."""
    numbers = rollouts.of_groups(connection, scope.groups or frozenset())

    def seen(subject: str) -> bool:
        rollout, device = rollout_of(subject), device_of(subject)
        return rollout in numbers if device is None else scope.has(device)

    return seen


def _named(groups: frozenset[str]) -> str:
    names = sorted(groups)
    return f"group{'s' * (len(names) > 1)} {', '.join(names)}" if names else "no group"


async def device_scope(request: Request) -> DeviceScope:
    """The devices of this request. Asynchronous: it needs no thread."""
    found = getattr(request.state, "device_scope", NOTHING)
    assert isinstance(found, DeviceScope)
    return found


DeviceScopeDep = Annotated[DeviceScope, Depends(device_scope)]
