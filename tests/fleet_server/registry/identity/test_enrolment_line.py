"""The command line for a device, and the warnings about addresses that only this machine can reach."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from edgefleet_server.core.errors import InputError
from edgefleet_server.core.settings import Settings
from edgefleet_server.registry.identity.enrolment_line import EnrolmentAddress, broker_warning, enrolment_address

PIN = "ab" * 32
OPEN: dict[str, Any] = {"host": "0.0.0.0", "port": 8443}


def address(called: str = "", broker: str = "mqtts://fleet.example.com:8883", **settings: Any) -> EnrolmentAddress:
    return enrolment_address(Settings(**settings), PIN, broker, called)


def test_one_option_gives_address_and_pin() -> None:
    found = address(**OPEN, tls_self_signed=True, device_host="fleet.example.com")
    assert found == EnrolmentAddress("https://fleet.example.com:8443", PIN, "")


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        ({**OPEN, "tls_self_signed": True, "device_host": "fd00::7"}, "https://[fd00::7]:8443"),
        ({"host": "::1", "tls_self_signed": True, "device_host": "::1"}, "https://[::1]:8080"),
        ({"port": 9000}, "http://127.0.0.1:9000"),
        ({"device_host": "fleet.example.com"}, "http://127.0.0.1:8080"),
        ({"public_url": "https://fleet.example.com"}, "https://fleet.example.com"),
        ({**OPEN, "tls_cert": "c", "tls_key": "k", "device_host": "fleet.example.com"}, "https://fleet.example.com:8443"),
        ({**OPEN, "tls_cert": "c", "tls_key": "k"}, "https://called.example.com:8443"),
    ],
)
def test_the_address_is_the_one_that_reaches_the_server(settings: dict[str, Any], url: str) -> None:
    found = address("https://called.example.com:8443/", **settings)
    assert (found.url, found.ca_sha256) == (url, PIN if settings.get("tls_self_signed") else "")


def test_the_token_is_no_argument_of_the_agent() -> None:
    command = EnrolmentAddress("https://fleet.example.com:8443", PIN).command("line-7", "tSECRET")
    before, after = command.split(" | ")
    assert before == "echo tSECRET"
    agent = ["edgefleet-agent", "enroll", "https://fleet.example.com:8443"]
    assert shlex.split(after) == [*agent, "--token-file", "-", "--ca-sha256", PIN, "--device", "line-7"]
    assert EnrolmentAddress("https://f").command_with_file("", "a b") == "edgefleet-agent enroll https://f --token-file 'a b'"


@pytest.mark.parametrize(
    ("settings", "broker", "warned"),
    [
        ({}, "mqtts://127.0.0.1:8883", ""),
        ({**OPEN, "tls_cert": "c", "tls_key": "k"}, "mqtts://127.0.0.1:8883", "--device-host NAME"),
        ({**OPEN, "tls_self_signed": True}, "mqtts://127.0.0.2:8883", "--device-host NAME"),
        ({"public_url": "https://fleet.example.com"}, "mqtts://localhost:8883", "--device-host NAME"),
        ({"public_url": "https://fleet.example.com"}, "mqtts://fleet.example.com:8883", ""),
        ({**OPEN, "tls_cert": "c", "tls_key": "k", "broker_url": "mqtts://[::1]"}, "mqtts://[::1]", "--device-broker URL"),
    ],
)
def test_a_broker_on_loopback_is_warned_about_if_others_reach_the_server(
    settings: dict[str, Any], broker: str, warned: str
) -> None:
    warning = broker_warning(Settings(**settings), broker)
    assert (warned in warning) if warned else warning == ""
    assert "\n" not in warning


def test_a_line_for_this_machine_only_has_a_warning() -> None:
    assert "this machine only" in address(broker="mqtts://127.0.0.1:8883").warning
    plain = address(**OPEN, insecure_http=True, device_host="fleet.example.com")
    assert "not encrypted" in plain.warning


@pytest.mark.parametrize(
    "settings",
    [
        {"tls_cert": "c", "tls_key": "k"},
        {"tls_key": "k", "tls_cert": "c"},
        {"public_url": "https://fleet.example.com"},
        {"insecure_http": True},
    ],
)
def test_what_excludes_a_certificate_of_the_server(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="omit"):
        Settings(tls_self_signed=True, **settings)


@pytest.mark.parametrize(
    "host", ["", "https://fleet", "fleet:8883", "[::1]", "a b", "*.example.com", "fe80::1%eth0", "-a", "ü.example"]
)
def test_a_device_host_is_a_name_or_an_address(host: str) -> None:
    with pytest.raises(InputError, match="without port"):
        Settings(device_host=host)


@pytest.mark.parametrize(
    "host", ["fleet", "fleet_server", "fleet.example.com", "10.0.0.7", "fd00::7", "::1", "xn--mnchen-3ya.example"]
)
def test_names_and_addresses_are_taken(host: str) -> None:
    assert Settings(device_host=host).device_host == host
