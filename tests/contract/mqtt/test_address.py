"""URLs of brokers."""

from __future__ import annotations

import pytest

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.mqtt.address import BrokerAddress, Login

WRONG = [
    "http://x",
    "mqtt://",
    "x:1883",
    "mqtt://host:99999",
    "mqtt://host:x",
    "mqtt://host/path",
    "mqtt://user@host",
]


@pytest.mark.parametrize("url", WRONG)
def test_a_broker_that_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="mqtt://host:port"):
        BrokerAddress.parse(url)


def test_a_broker_url() -> None:
    assert BrokerAddress.parse("mqtt://10.0.0.1") == BrokerAddress("10.0.0.1", 1883)
    assert BrokerAddress.parse("mqtts://broker.local") == BrokerAddress("broker.local", 8883, tls=True)
    assert BrokerAddress.parse("mqtt://[::1]:2883/") == BrokerAddress("::1", 2883)


@pytest.mark.parametrize("url", ["mqtt://[::1]:1999", "mqtts://broker.local:8883"])
def test_an_address_gives_its_url(url: str) -> None:
    assert BrokerAddress.parse(url).url == url


def test_a_password_is_not_shown() -> None:
    assert "secret" not in repr(Login("press", "secret"))
