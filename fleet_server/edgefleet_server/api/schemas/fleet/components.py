"""Components: what is installed and what runs, by version and by device; dossiers about one of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CursorPage, StrictModel

ComponentName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,127}$")]
VersionSpec = Annotated[str, Field(max_length=200, pattern=r"^[ -~]*$")]
ComponentKind = Literal["library", "agent", "runtime", "system", "kernel", "package"]


class ComponentVersion(BaseModel):
    """A version of a component. `devices`: those that have it now; `on_server`: this server has it, too."""

    kind: ComponentKind
    name: str
    version: str
    devices: int
    on_server: bool = False


class ComponentCoverage(BaseModel):
    """The fleet that the answers are about. `unknown`: devices of which is not known what is installed, because their
    agent does not report it or has not yet been asked; `incomplete`: devices that had no room for all entries."""

    devices: int
    unknown: int
    incomplete: int


class ComponentList(CursorPage):
    """By kind, name and version."""

    items: list[ComponentVersion]
    coverage: ComponentCoverage


class ComponentDevice(BaseModel):
    """A version on a device. `since_at`: when the server learned it first, or, of a package, when it was committed.
    `until_at`: when that ended; null while it lasts (`current`), or if the end is unknown. `use`: of a library is known
    that it is `installed`, not that a program loads it. `evidence`: digest of the device's bill, or of the package."""

    device: str
    kind: ComponentKind
    version: str
    slot: str
    since_at: float
    until_at: float | None
    current: bool
    use: Literal["running", "installed"]
    evidence: str


class ComponentDetail(CursorPage):
    """The devices that have a component, or had it. `uncompared`: versions that specifiers cannot be compared with; they
    are not in `items`."""

    name: str
    version: str
    versions: list[ComponentVersion]
    uncompared: list[str]
    coverage: ComponentCoverage
    items: list[ComponentDevice]


class DossierRequest(StrictModel):
    """`version`: specifiers of PEP 440, or a version; empty = all. `stage`: that of Article 14 of the Cyber Resilience Act.
    `aware_at`: when the manufacturer became aware, seconds since 1970; measures are listed from then on (null = from the first
    sight of the component on)."""

    component: ComponentName
    version: VersionSpec = ""
    stage: Literal["24h", "72h"]
    aware_at: Annotated[float, Field(ge=0, le=1e11)] | None = None
