"""Passwords are replaced in all addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.sources.redact import redact

PASSWORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="'\""), min_size=6, max_size=20)


@given(PASSWORDS)
def test_a_password_in_an_address_is_hidden(password: str) -> None:
    text = f"cannot read rtsp://admin:{password}@camera.site:554/main (timed out)"
    assert redact(text) == "cannot read rtsp://***@camera.site:554/main (timed out)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://cam/video?user=admin&pwd=geheim&size=2", "http://cam/video?user=***&pwd=***&size=2"),
        ("http://cam/video?Token=abc, then", "http://cam/video?Token=*** then"),
        ("rtsp://cam/main and rtsp://u:p@cam/sub", "rtsp://cam/main and rtsp://***@cam/sub"),
        ("mail me@site.example about /dev/video0", "mail me@site.example about /dev/video0"),
    ],
)
def test_what_is_hidden_and_what_is_not(text: str, shown: str) -> None:
    assert redact(text) == shown


def test_a_long_password_is_hidden() -> None:
    assert redact(f"rtsp://admin:{'x/' * 5_000}@cam/1 and http://b/1") == "rtsp://***@cam/1 and http://b/1"
