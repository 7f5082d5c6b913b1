"""Ten thousand hostile requests over HTTP and as many over gRPC: no 5xx but 503, no growth.

pytest -m long -s tests/long/test_hostile_seeds.py
"""

from __future__ import annotations

import pytest

from edgefleet_agent.machine.vitals import rss_bytes
from tests.agent.serving.conftest import Api, api  # noqa: F401 - the server of the serving tests
from tests.agent.serving.grpc.test_hostile_seeds import send_grpc, send_http

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

COUNT = 10_000
WARM = 2_000
GROWN_BYTES_MAX = 20 * 1024 * 1024


@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_ten_thousand_leave_nothing_behind(api: Api, protocol: str) -> None:  # noqa: F811 - the fixture
    send, address = (send_http, api.http) if protocol == "http" else (send_grpc, api.grpc)
    send(address, range(WARM))
    before = rss_bytes()
    found = send(address, range(WARM, WARM + COUNT))
    grown = rss_bytes() - before
    print(f"\n{protocol}: {dict(found)}, memory {before / 1e6:.0f} MB + {grown / 1e6:.1f} MB")
    assert grown < GROWN_BYTES_MAX
