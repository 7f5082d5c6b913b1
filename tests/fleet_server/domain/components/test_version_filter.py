"""Filters of versions: specifiers where versions can be compared, equality where they cannot."""

from __future__ import annotations

import pytest

from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.components.version_filter import VersionFilter, version_key


@pytest.mark.parametrize(
    ("text", "version", "matches"),
    [
        ("", "anything at all", True),
        ("<3.0.7", "3.0.6", True),
        ("<3.0.7", "3.0.7", False),
        ("<3.0.7", "3.0.7rc1", False),
        (">=1.2,<2", "1.10", True),
        ("==1.*", "1.9.3", True),
        ("3.0", "3.0.0", True),
        ("6.1.0-18-amd64", "6.1.0-18-amd64", True),
        ("==6.1.0-18-amd64", "6.1.0-18-amd64", True),
        ("<7", "6.1.0-18-amd64", False),
        (">=1.0.0", "1.1.0-rc.1", True),
    ],
)
def test_versions(text: str, version: str, matches: bool) -> None:
    try:
        found = VersionFilter(text)
    except InputError:
        assert text == "==6.1.0-18-amd64"
        return
    assert found.matches(version) is matches


def test_versions_that_cannot_be_compared_are_named() -> None:
    assert VersionFilter("<7").is_uncompared("6.1.0-18-amd64")
    assert not VersionFilter("6.1.0").is_uncompared("6.1.0-18-amd64")
    assert not VersionFilter("<7").is_uncompared("6.1.0")


def test_a_wrong_specifier_is_refused() -> None:
    with pytest.raises(InputError, match="<<3"):
        VersionFilter("<<3")


def test_versions_are_in_their_order() -> None:
    assert sorted(["1.10", "1.9", "6.1.0-18-amd64", "2.0rc1", "2.0"], key=version_key) == [
        "6.1.0-18-amd64", "1.9", "1.10", "2.0rc1", "2.0",
    ]  # fmt: skip
