"""The record of a configuration on the server: what its files manage, and what they made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from edgefleet_client.schemas.fleet import Configuration, ConfigurationRequest, ConfigurationResource
from edgefleet_server.cli.apply.changes import Change
from edgefleet_server.cli.client import Client
from edgefleet_server.core.errors import ConflictError, InputError

Key = tuple[str, str]
TRIES: Final = 5


class Ownership:
    """The record of the configuration `name`, and those of the others."""

    def __init__(self, client: Client, name: str) -> None:
        self.name = name
        self._client = client
        held = {each["name"]: each for each in client.fleet.iterate_configurations()}
        self._revision = held[name]["revision"] if name in held else 0
        self.resources = _by_key(held.get(name))
        self._others = {key: other for other, each in held.items() if other != name for key in _by_key(each)}

    def check(self, kind: str, name: str, place: str) -> None:
        """Check that no other configuration manages an object.

        Raises:
            InputError: one does.
        """
        other = self._others.get((kind, name))
        if other is not None:
            raise InputError(f"{place}: {kind} {name!r} belongs to configuration {other!r}; remove it from one of them")

    def drift(self, kind: str, name: str, digest: str, *, exists: bool, by: str = "") -> str:
        """Text about a change of an object outside of the files; empty if the files changed. by: the user who changed it."""
        known = self.resources.get((kind, name))
        if known is None or known.get("digest") != digest:
            return ""
        return f"{'changed' if exists else 'deleted'} outside of this configuration{f' by {by}' if by else ''}"

    def claim(self) -> None:
        """Take the turn: of two applies that planned from the same record, one goes on.

        Raises:
            ConflictError: another one was first.
        """
        body = {"revision": self._revision, "resources": list(self.resources.values())}
        self._revision = self._put(body)["revision"]

    def keep(self, changes: list[Change], done: list[Change]) -> None:
        """Record what the files manage now. changes: of the plan. done: those that were carried out.

        Raises:
            EdgefleetError: the server refuses.
        """
        for attempt in range(TRIES):
            for change in changes:
                if change.recorded and (change in done or not change.is_needed):
                    self._note(change)
            try:
                self._put({"revision": self._revision, "resources": list(self.resources.values())})
                return
            except ConflictError:
                if attempt == TRIES - 1:
                    raise
                again = Ownership(self._client, self.name)
                self._revision, self.resources = again._revision, again.resources

    def _note(self, change: Change) -> None:
        key = (change.kind, change.name)
        if change.action in ("delete", "release"):
            self.resources.pop(key, None)
            return
        before = self.resources.get(key)
        made = change.action == "create" or (before is not None and before["made"])
        found: dict[str, object] = {"kind": change.kind, "name": change.name, "made": made, "digest": change.digest}
        self.resources[key] = cast("ConfigurationResource", {**found, "id": change.id} if change.id is not None else found)

    def _put(self, body: Mapping[str, object]) -> Configuration:
        return self._client.fleet.put_configuration(self.name, cast("ConfigurationRequest", body))


def _by_key(configuration: Configuration | None) -> dict[Key, ConfigurationResource]:
    return {(each["kind"], each["name"]): each for each in configuration["resources"]} if configuration else {}
