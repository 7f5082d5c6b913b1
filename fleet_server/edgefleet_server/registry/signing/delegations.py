"""Delegated targets of TUF: a team's keys sign the packages that it owns. Pure functions over metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from securesystemslib.signer import Key
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import DelegatedRole, Delegations, Metadata, Root, TargetFile, Targets

from edgefleet_server.core.errors import ConflictError, InputError

TEAM_PATTERN: Final = r"^(?!(?:root|targets|snapshot|timestamp)$)[a-z][a-z0-9_-]{0,31}$"
PATH_PATTERN: Final = r"^[a-z0-9_*?-]{1,64}/\*$"
TEAMS_MAX: Final = 32


def delegate(targets: Targets, team: str, paths: list[str], keys: list[Key], threshold: int) -> None:
    """Let `threshold` of `keys` sign packages whose `name/version` matches `paths` (`press_*/*`). No keys: remove the delegation.

    Raises:
        InputError: an invalid name, path or threshold.
    """
    if re.match(TEAM_PATTERN, team) is None:
        raise InputError(f"team {team!r}: must be at most 32 characters of a-z 0-9 _ - and not a role of the repository")
    wrong = next((path for path in paths if re.match(PATH_PATTERN, path) is None), None)
    if wrong is not None:
        raise InputError(f"path {wrong!r}: must be NAME/*, with wildcards * and ? in NAME")
    delegations = targets.delegations or Delegations({}, {})
    assert delegations.roles is not None
    if team in delegations.roles:
        targets.delegations = delegations
        for keyid in list(delegations.roles[team].keyids):
            targets.revoke_key(keyid, team)
        del delegations.roles[team]
    if keys:
        if not paths or not 1 <= threshold <= len({key.keyid for key in keys}):
            raise InputError(
                f"{threshold} of {len(keys)} keys, {len(paths)} paths: specify paths, and a"
                " threshold not above the number of keys"
            )
        if len(delegations.roles) >= TEAMS_MAX:
            raise InputError(f"the limit of {TEAMS_MAX} teams is reached; remove one first")
        delegations.roles[team] = DelegatedRole(team, [], threshold, False, paths=paths)
        targets.delegations = delegations
        for key in keys:
            targets.add_key(key, team)
    if not delegations.roles:
        targets.delegations = None


def teams(targets: Targets) -> dict[str, DelegatedRole]:
    """The teams by name."""
    return dict(targets.delegations.roles or {}) if targets.delegations is not None else {}


def check(targets: Targets, team: str, data: bytes, known: int) -> Targets:
    """Verify targets of a team, which have to be signed by its keys and to follow version `known`.

    Raises:
        InputError: not signed by enough of its keys, or expired. ConflictError: not the next version.
    """
    if team not in teams(targets):
        raise InputError(f"no team {team!r}; create it with `edgefleet trust delegate`")
    try:
        metadata = Metadata[Targets].from_bytes(data)
        targets.verify_delegate(team, metadata.signed_bytes, metadata.signatures)
    except (RepositoryError, ValueError) as error:
        raise InputError(f"not signed with enough keys of team {team} ({error})") from error
    if metadata.signed.version != known + 1:
        raise ConflictError(
            f"version {metadata.signed.version} does not follow {known}; fetch the current list and sign it again"
        )
    if metadata.signed.is_expired():
        raise InputError("the metadata has already expired; check the clock of the machine that signed it")
    foreign = next((path for path in metadata.signed.targets if not teams(targets)[team].is_delegated_path(path)), None)
    if foreign is not None:
        raise InputError(f"{foreign} is not one of {team}'s packages; they are {', '.join(teams(targets)[team].paths or [])}")
    return metadata.signed


def find(targets: Targets, signed: Mapping[str, Targets], path: str) -> TargetFile | None:
    """The signed entry of a package: the repository's own, or that of the first team that owns the name."""
    own = targets.targets.get(path)
    if own is not None:
        return own
    owners = [team for team, role in teams(targets).items() if team in signed and role.is_delegated_path(path)]
    return next((signed[team].targets[path] for team in owners if path in signed[team].targets), None)


def name_keys(root: Root, role: str, keys: Sequence[Key], threshold: int) -> None:
    """Name `keys` as those of a role in `root`, and revoke the old ones."""
    for keyid in list(root.roles[role].keyids):
        root.revoke_key(keyid, role)
    for key in keys:
        root.add_key(key, role)
    root.roles[role].threshold = threshold


def check_own(root: Root, data: bytes, known: int) -> None:
    """Verify targets of the repository itself, which have to follow version `known`.

    Raises:
        InputError: not signed by enough keys of the root, or expired. ConflictError: not the next version.
    """
    try:
        metadata = Metadata[Targets].from_bytes(data)
        root.verify_delegate(Targets.type, metadata.signed_bytes, metadata.signatures)
    except (RepositoryError, ValueError) as error:
        raise InputError(f"not signed with the targets key of the root ({error})") from error
    if metadata.signed.type != Targets.type or metadata.signed.version != known + 1:
        raise ConflictError(
            f"version {metadata.signed.version} does not follow {known}; fetch the current list and sign it again"
        )
    if metadata.signed.is_expired():
        raise InputError("the metadata has already expired; check the clock of the machine that signed it")
