"""Differences between files and server: what each is, and how it is shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from edgefleet_server.domain.policy.roles import Role

Action = Literal["create", "change", "delete", "release", "none"]
SYMBOLS: Final[Mapping[Action, str]] = {"create": "+", "change": "~", "delete": "-", "release": "-", "none": "="}
TEXT_MAX: Final = 120

Outcome = tuple[int | None, str]
"""Number of the object on the server, if it has one, and a note for people; empty: nothing to add."""


@dataclass(slots=True)
class Change:
    """One object of the files, or of an earlier apply, and what has to be done.

    kind: singular. details: lines of the difference. drift: what was changed elsewhere since the last apply; empty: nothing.
    note: what people should know. run: carries it out, and sets
    `action` to none where there was nothing to do. digest: of the definition in the files. role: that is needed. recorded:
    whether the configuration keeps a record of the object. id: of a rollout or an alert rule.
    """

    action: Action
    kind: str
    name: str
    details: list[str] = field(default_factory=list)
    drift: str = ""
    note: str = ""
    run: Callable[[], Outcome] | None = None
    digest: str = ""
    role: Role = Role.OPERATOR
    recorded: bool = False
    id: int | None = None

    @property
    def is_needed(self) -> bool:
        """Whether there is something to do."""
        return self.action != "none"

    def lines(self) -> Iterator[str]:
        """The change as text for people; nothing if there is nothing to say."""
        if not (self.is_needed or self.drift or self.note):
            return
        yield f"{SYMBOLS[self.action]} {self.kind} {self.name}{f': {self.note}' if self.note else ''}"
        for line in self.details:
            yield f"    {line}"
        if self.drift:
            yield f"    ! {self.drift}"

    def plain(self) -> dict[str, Any]:
        """The change for `--json`."""
        names = ("action", "kind", "name", "details", "drift", "note")
        return {name: getattr(self, name) for name in names}


def digest_of(definition: Any) -> str:
    """Short digest of a definition; the order of keys does not matter."""
    text = json.dumps(definition, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Lines `+ key: value`, `~ key: before → after` and `- key: value`; tables are compared key by key, lists as a whole."""
    old, new = dict(_flat(before)), dict(_flat(after))
    lines = []
    for key in sorted(old.keys() | new.keys()):
        if key not in old:
            lines.append(f"+ {key}: {_shown(new[key])}")
        elif key not in new:
            lines.append(f"- {key}: {_shown(old[key])}")
        elif old[key] != new[key]:
            lines.append(f"~ {key}: {_shown(old[key])} → {_shown(new[key])}")
    return lines


def additions(after: Mapping[str, Any]) -> list[str]:
    """The lines of a new object, without what is empty."""
    return [f"+ {key}: {_shown(value)}" for key, value in sorted(_flat(after)) if value not in (None, "", [], False)]


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= TEXT_MAX else f"{text[: TEXT_MAX - 1]}…"
