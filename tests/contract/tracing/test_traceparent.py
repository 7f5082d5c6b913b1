"""The header `traceparent`."""

from __future__ import annotations

import pytest

from edgefleet_contract.tracing.traceparent import Parent, read_parent

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (f"00-{TRACE}-{SPAN}-01", Parent(int(TRACE, 16), int(SPAN, 16), True)),
        (f"00-{TRACE}-{SPAN}-00", Parent(int(TRACE, 16), int(SPAN, 16), False)),
        (f"01-{TRACE}-{SPAN}-03-later", Parent(int(TRACE, 16), int(SPAN, 16), True)),
        (f"00-{TRACE}-{SPAN}-01-more", None),
        (f"ff-{TRACE}-{SPAN}-01", None),
        (f"00-{'0' * 32}-{SPAN}-01", None),
        (f"00-{TRACE}-{'0' * 16}-01", None),
        (f"00-{TRACE.upper()}-{SPAN}-01", None),
        ("nonsense", None),
    ],
)
def test_traceparent_as_the_standard_reads_it(header: str, found: Parent | None) -> None:
    assert read_parent(header.encode()) == found


@pytest.mark.parametrize("flags", ["00", "01"])
def test_a_parent_is_written_as_it_is_read(flags: str) -> None:
    header = f"00-{TRACE}-{SPAN}-{flags}"
    parent = read_parent(header.encode())
    assert parent is not None
    assert parent.header == header
