"""Admission of calls: a full table refuses only connections that have more than their share."""

from __future__ import annotations

import pytest

from edgefleet_agent.serving.grpc.methods import CALLS_MAX, Method, MethodTable
from edgefleet_agent.serving.grpc.response_headers import Status
from edgefleet_agent.serving.http2.header_reader import Head

PATH = b"/a/B"
HEAD = Head(PATH, {b":method": b"POST", b"content-type": b"application/grpc"}, (), "")


@pytest.mark.parametrize(
    ("open_calls", "own_calls", "connections", "refused"),
    [
        (CALLS_MAX, CALLS_MAX, 1, False),
        (CALLS_MAX + 1, CALLS_MAX + 1, 1, True),
        (CALLS_MAX + 1, 1, 6, False),
        (CALLS_MAX + 1, CALLS_MAX // 6, 6, False),
        (CALLS_MAX + 1, CALLS_MAX // 6 + 1, 6, True),
        (2 * CALLS_MAX, 1, 2 * CALLS_MAX, False),
        (2 * CALLS_MAX, 2, 2 * CALLS_MAX, True),
    ],
)
def test_a_full_table(open_calls: int, own_calls: int, connections: int, refused: bool) -> None:
    table = MethodTable({PATH: Method()}, open_calls=open_calls)
    refusal = table.refusal(HEAD, "peer", own_calls, connections)
    assert (refusal is not None) == refused
    if refusal is not None:
        assert refusal[0] is Status.RESOURCE_EXHAUSTED
