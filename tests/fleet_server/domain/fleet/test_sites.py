"""Sites of devices from their labels."""

from __future__ import annotations

import pytest

from edgefleet_server.domain.fleet.sites import DevicePosition, group_by_site, position


def device(lat: str = "", lon: str = "", site: str = "", **more: bool) -> DevicePosition:
    return DevicePosition(lat, lon, site, more.get("online", True), more.get("attention", False), more.get("updating", False))


@pytest.mark.parametrize("pair", [("", ""), ("52", ""), ("north", "8"), ("91", "8"), ("52", "181"), ("nan", "8"), ("inf", "0")])
def test_what_is_no_position(pair: tuple[str, str]) -> None:
    assert position(*pair) is None


def test_one_surveyed_device_places_its_site() -> None:
    found, nowhere = group_by_site(
        [device(site="lyon"), device("45.76", "4.84", "lyon", online=False), device(site="lyon", attention=True)]
    )
    assert nowhere == 0
    assert [(place.name, place.devices, place.offline, place.attention) for place in found] == [("lyon", 3, 1, 1)]
    assert (found[0].lat, found[0].lon) == pytest.approx((45.76, 4.84))
    assert found[0].labels == {"site": "lyon"}


def test_devices_without_a_site_stand_where_they_say() -> None:
    found, nowhere = group_by_site(
        [device("1", "2"), device("1", "2", updating=True), device("-33.9", "18.4"), device(), device(site="unsurveyed")]
    )
    assert nowhere == 2
    assert [(place.devices, place.labels) for place in found] == [
        (2, {"lat": "1", "lon": "2"}),
        (1, {"lat": "-33.9", "lon": "18.4"}),
    ]
    assert found[0].updating == 1


def test_a_site_across_the_date_line_is_not_on_the_other_side_of_the_earth() -> None:
    found, _ = group_by_site([device("0", "179", "fiji"), device("0", "-179", "fiji")])
    assert abs(found[0].lon) == pytest.approx(180.0)
