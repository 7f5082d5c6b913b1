"""Components of the fake fleet: every third device has an older numpy."""

from __future__ import annotations

import time

from fastapi import APIRouter, Request

from edgefleet_server.api.schemas.fleet import components
from edgefleet_server.domain.components.version_filter import VersionFilter
from tests.fleet_server.dashboard.fake_whole import fleet_of

routes = APIRouter(prefix="/api/v1")

DAY_S = 86_400.0
OTHERS = (("library", "opencv-python-headless", "4.12.0.88"), ("runtime", "python", "3.11.2"), ("system", "debian", "12"))


def _coverage(devices: int) -> components.ComponentCoverage:
    return components.ComponentCoverage(devices=devices, unknown=3, incomplete=0)


@routes.get("/components", operation_id="list_components")
def list_components(request: Request, text: str = "") -> components.ComponentList:
    devices = len(fleet_of(request).devices)
    old = -(-devices // 3)
    rows = [("library", "numpy", "1.26.4", old), ("library", "numpy", "2.3.1", devices - old)]
    rows += [(*each, devices) for each in OTHERS]
    items = [
        components.ComponentVersion.model_validate(
            {"kind": kind, "name": name, "version": version, "devices": count, "on_server": version == "2.3.1"}
        )
        for kind, name, version, count in rows
        if text in name
    ]
    return components.ComponentList(items=items, coverage=_coverage(devices))


@routes.get("/components/{component}", operation_id="list_component_devices")
def list_component_devices(request: Request, component: str, version: str = "") -> components.ComponentDetail:
    versions_filter, now = VersionFilter(version), time.time()
    items = []
    for number, device in enumerate(sorted(fleet_of(request).devices)):
        has = "2.3.1" if number % 3 else "1.26.4"
        if versions_filter.matches(has) and len(items) < 100:
            items.append(
                components.ComponentDevice(
                    device=device, kind="library", version=has, slot="", since_at=now - DAY_S * (1 + number % 40), until_at=None,
                    current=True, use="installed", evidence="a" * 64,
                )
            )  # fmt: skip
    versions = list_components(request, component).items
    shown = [each for each in versions if versions_filter.matches(each.version)]
    coverage = _coverage(len(fleet_of(request).devices))
    return components.ComponentDetail(
        name=component, version=version, versions=shown, uncompared=[], coverage=coverage, items=items
    )
