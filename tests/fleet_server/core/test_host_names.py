"""Host names and addresses of the server, as devices connect to it."""

from __future__ import annotations

import pytest

from edgefleet_server.core.settings import is_host


@pytest.mark.parametrize("text", ["fleet.example.com", "fleet", "my_host.lan", "10.0.0.1", "fd00::1", "::1", "xn--fiq228c.com."])
def test_devices_can_connect_to_it(text: str) -> None:
    assert is_host(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "fleet..com",
        "-fleet.com",
        "fleet.com:80",
        "https://fleet.com",
        "*.com",
        "fé.com",
        "0.0.0.0",
        "::",
        "fe80::1%eth0",
        "a" * 254,
    ],
)
def test_devices_cannot_connect_to_it(text: str) -> None:
    assert not is_host(text)
