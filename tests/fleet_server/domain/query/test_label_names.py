"""A label with a slip is named with the one that was meant; it is no error."""

from __future__ import annotations

import pytest

from edgefleet_server.domain.query.label_names import unknown_labels
from edgefleet_server.domain.query.parsing import parse

DEVICES = [{"site": "lyon", "ring": "canary"}, {"site": "nice"}]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("sight = lyon", ["no device has the label 'sight'; did you mean site?"]),
        ("not sight = lyon and site = nice", ["no device has the label 'sight'; did you mean site?"]),
        ("stat = online", ["no device has the label 'stat'; did you mean state?"]),
        ("colour exists", ["no device has the label 'colour'"]),
        ("site = nowhere and ring = canary or state = offline and package:spotter exists", []),
    ],
)
def test_labels_of_a_query(query: str, expected: list[str]) -> None:
    assert unknown_labels(parse(query).label_names, DEVICES) == expected


def test_an_empty_fleet_gives_no_warning() -> None:
    assert unknown_labels(["site"], []) == []
