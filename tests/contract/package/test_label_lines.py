"""Texts of label files, as editors of all systems write them."""

from __future__ import annotations

import pytest

from edgefleet_contract.package.label_lines import labels_in


@pytest.mark.parametrize(
    "text", ["cat\ndog", "cat\ndog\n", "cat\r\ndog\r\n", "\ufeffcat\ndog\n", " cat \ndog\n\n \n", "\ufeffcat\r\ndog\r\n\r\n"]
)
def test_two_labels(text: str) -> None:
    assert labels_in(text) == ("cat", "dog")


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", " \r\n"])
def test_none(text: str) -> None:
    assert labels_in(text) == ()


def test_a_class_without_a_name_keeps_its_place() -> None:
    assert labels_in("cat\n\ndog\n") == ("cat", "", "dog")
