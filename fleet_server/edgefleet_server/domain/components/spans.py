"""Spans of time in which a device has or had a version of a component."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Use = Literal["running", "installed"]


@dataclass(frozen=True, slots=True)
class ComponentSpan:
    """A version on a device. `kind`: `library`, `agent`, `runtime`, `system`, `kernel` or `package`. `evidence`: digest of the
    bill or of the package that says so. `slot`: of a package. `until_at`: None while it lasts, or if its end is unknown.
    `use`: `installed` says nothing about whether a program has loaded it."""

    device: str
    kind: str
    name: str
    version: str
    since_at: float
    until_at: float | None
    current: bool
    evidence: str
    slot: str = ""

    @property
    def use(self) -> Use:
        """Whether it runs, or is merely installed."""
        return "installed" if self.kind == "library" else "running"


def joined(spans: Iterable[ComponentSpan]) -> list[ComponentSpan]:
    """The spans by device, oldest first, where those of one version that follow each other without a gap are one: a bill changes
    with each of its entries. The evidence is that of the last one."""
    ordered = sorted(spans, key=lambda span: (span.device, span.kind, span.slot, span.since_at, span.version, span.evidence))
    found: list[ComponentSpan] = []
    for span in ordered:
        last = found[-1] if found else None
        if last is not None and _follows(last, span):
            found[-1] = replace(span, since_at=last.since_at)
        else:
            found.append(span)
    return found


def _follows(last: ComponentSpan, span: ComponentSpan) -> bool:
    same = (last.device, last.kind, last.name, last.version, last.slot) == (
        span.device, span.kind, span.name, span.version, span.slot,
    )  # fmt: skip
    return same and last.until_at is not None and last.until_at == span.since_at
