"""The parts of a parsed query, and whether a device matches them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from edgefleet_server.domain.query.version_order import Order, order_of

STATES: Final = (
    "online", "offline", "updating", "attention", "on_target", "off_target", "degraded", "flapping", "pinned", "blocked",
)  # fmt: skip
"""Values of the field `state`, as in lists of devices. A device has several of them at once."""


class QueryField(str, Enum):
    LABEL = "label"
    ID = "id"
    PROFILE = "profile"
    AGENT = "agent"
    PACKAGE = "package"
    STATE = "state"


VERSIONS: Final = frozenset({QueryField.AGENT, QueryField.PACKAGE})
"""Fields whose values are versions."""

CHANGING: Final = frozenset({QueryField.AGENT, QueryField.PACKAGE, QueryField.STATE})
"""Fields that a rollout or the device's connection changes."""


@dataclass(slots=True)
class QueriedDevice:
    """The facts about a device that a query asks for. `packages`: the versions that its slots run, by package. Not frozen,
    because a frozen one takes longer to make, and there are as many as devices."""

    id: str
    labels: Mapping[str, str] = field(default_factory=dict)
    profile: str = ""
    agent: str = ""
    packages: dict[str, list[str]] = field(default_factory=dict)
    states: set[str] = field(default_factory=set)

    def values(self, kind: QueryField, name: str) -> Sequence[str]:
        """The values of a field, none if the device has none. `name`: of the label or package."""
        if kind is QueryField.LABEL:
            return (self.labels[name],) if name in self.labels else ()
        if kind is QueryField.PACKAGE:
            return self.packages.get(name, ())
        value = self.id if kind is QueryField.ID else self.profile if kind is QueryField.PROFILE else self.agent
        return (value,) if value else ()


@dataclass(frozen=True, slots=True)
class QueryValue:
    """A value to compare with. `glob`: every `*` stands for any text."""

    text: str
    glob: bool = False

    def equals(self, value: str, *, version: bool) -> bool:
        """Whether a device's value is this one; versions are equal as versions."""
        if self.glob:
            return _fits(self.text.split("*"), value)
        order = order_of(self.text) if version else None
        return value == self.text if order is None else order == order_of(value)


def _fits(pieces: Sequence[str], value: str) -> bool:
    """Whether a text consists of the pieces with any text between them; takes time proportional to both."""
    first, *middle, last = pieces
    if len(value) < len(first) + len(last) or not value.startswith(first) or not value.endswith(last):
        return False
    at, end = len(first), len(value) - len(last)
    for piece in middle:
        at = value.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True


_ORDERS: Final[Mapping[str, Callable[[Order, Order], bool]]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A comparison. `test`: `in` (equal to one of `values`), `exists`, or `<`, `<=`, `>`, `>=` with one version. A field with
    several values passes if one of them does, one without values does not."""

    field: QueryField
    name: str
    test: str
    values: tuple[QueryValue, ...] = ()

    def matches(self, device: QueriedDevice) -> bool:
        """Whether a device passes."""
        if self.field is QueryField.STATE:
            return any(value.text in device.states for value in self.values)
        found = device.values(self.field, self.name)
        if self.test == "exists":
            return bool(found)
        if self.test == "in":
            version = self.field in VERSIONS
            return any(value.equals(each, version=version) for each in found for value in self.values)
        limit = order_of(self.values[0].text)
        orders = (order_of(each) for each in found)
        return limit is not None and any(order is not None and _ORDERS[self.test](order, limit) for order in orders)


@dataclass(frozen=True, slots=True)
class QueryNot:
    """Devices that do not match the part."""

    part: QueryNode

    def matches(self, device: QueriedDevice) -> bool:
        """Whether a device matches."""
        return not self.part.matches(device)


@dataclass(frozen=True, slots=True)
class QueryAnd:
    """Devices that match every part."""

    parts: tuple[QueryNode, ...]

    def matches(self, device: QueriedDevice) -> bool:
        """Whether a device matches."""
        return all(part.matches(device) for part in self.parts)


@dataclass(frozen=True, slots=True)
class QueryOr:
    """Devices that match a part."""

    parts: tuple[QueryNode, ...]

    def matches(self, device: QueriedDevice) -> bool:
        """Whether a device matches."""
        return any(part.matches(device) for part in self.parts)


QueryNode = QueryTerm | QueryNot | QueryAnd | QueryOr


@dataclass(frozen=True, slots=True)
class DeviceQuery:
    """A parsed query."""

    root: QueryNode

    def matches(self, device: QueriedDevice) -> bool:
        """Whether a device matches."""
        return self.root.matches(device)

    @property
    def terms(self) -> list[QueryTerm]:
        """Its comparisons."""
        return list(_terms(self.root))

    @property
    def packages(self) -> frozenset[str]:
        """The packages that it asks for."""
        return frozenset(term.name for term in self.terms if term.field is QueryField.PACKAGE)

    @property
    def states(self) -> frozenset[str]:
        """The states that it asks for."""
        return frozenset(value.text for term in self.terms if term.field is QueryField.STATE for value in term.values)

    @property
    def label_names(self) -> frozenset[str]:
        """The labels that it asks for."""
        return frozenset(term.name for term in self.terms if term.field is QueryField.LABEL)

    @property
    def changing(self) -> str:
        """The first field that a rollout or the connection changes; "" if it asks for none."""
        return next((term.field.value for term in self.terms if term.field in CHANGING), "")


def _terms(node: QueryNode) -> Iterator[QueryTerm]:
    if isinstance(node, QueryTerm):
        yield node
    elif isinstance(node, QueryNot):
        yield from _terms(node.part)
    else:
        for part in node.parts:
            yield from _terms(part)
