"""Sites of devices, for a map, from their labels: `lat` and `lon` in degrees (WGS 84), or `site`.

The devices of a site are shown at the mean position of those that have one. Devices without a site are shown at their own
position, together with those of the same position. All others are not on the map.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

LATITUDE_MAX: Final = 90.0
LONGITUDE_MAX: Final = 180.0


@dataclass(frozen=True, slots=True)
class DevicePosition:
    """One device. `lat`, `lon`, `site`: its unparsed labels, empty = none."""

    lat: str
    lon: str
    site: str
    online: bool
    attention: bool
    updating: bool


@dataclass(slots=True)
class Site:
    """Devices at one position. `labels` select them in a list; (`lat`, `lon`) in degrees."""

    name: str
    labels: dict[str, str]
    lat: float = 0.0
    lon: float = 0.0
    devices: int = 0
    offline: int = 0
    attention: int = 0
    updating: int = 0
    positions: list[tuple[float, float]] = field(default_factory=list)


def position(lat: str, lon: str) -> tuple[float, float] | None:
    """Parse the position (degrees) from two labels; None if they are not a position."""
    try:
        found = float(lat), float(lon)
    except ValueError:
        return None
    on_earth = abs(found[0]) <= LATITUDE_MAX and abs(found[1]) <= LONGITUDE_MAX  # NaN is not
    return found if on_earth else None


def group_by_site(devices: Iterable[DevicePosition]) -> tuple[list[Site], int]:
    """Sites by descending number of devices, and the number of devices without a position."""
    found: dict[tuple[str, ...], Site] = {}
    nowhere = 0
    for device in devices:
        spot = position(device.lat, device.lon)
        if device.site:
            key: tuple[str, ...] = (device.site,)
            place = found.setdefault(key, Site(device.site, {"site": device.site}))
        elif spot is not None:
            key = (device.lat, device.lon)
            place = found.setdefault(key, Site(f"{device.lat}, {device.lon}", {"lat": device.lat, "lon": device.lon}))
        else:
            nowhere += 1
            continue
        place.devices += 1
        place.offline += not device.online
        place.attention += device.attention
        place.updating += device.updating
        if spot is not None:
            place.positions.append(spot)
    located = [place for place in found.values() if place.positions]
    nowhere += sum(place.devices for place in found.values() if not place.positions)
    for place in located:
        place.lat, place.lon = _middle(place.positions)
    return sorted(located, key=lambda place: (-place.devices, place.name)), nowhere


def _middle(positions: list[tuple[float, float]]) -> tuple[float, float]:
    """The mean direction from the Earth's centre: the middle of two devices on either side of the date line is on that line, and
    not in Africa, where the mean of the longitudes is."""
    x = y = z = 0.0
    for lat, lon in positions:
        phi, theta = math.radians(lat), math.radians(lon)
        x += math.cos(phi) * math.cos(theta)
        y += math.cos(phi) * math.sin(theta)
        z += math.sin(phi)
    return round(math.degrees(math.atan2(z, math.hypot(x, y))), 5), round(math.degrees(math.atan2(y, x)), 5)
