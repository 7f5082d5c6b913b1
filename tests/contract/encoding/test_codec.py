"""Strict types, limits, and unknown fields that survive."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX, Wire, decode, encode
from edgefleet_contract.wire.messages import Ack, BlockRequest, Desired, PresenceMessage
from tests.contract.encoding.golden_cases import CASES

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(extra=st.dictionaries(st.text(st.characters(categories=["Ll"]), min_size=12, max_size=20), PLAIN, max_size=4))
def test_unknown_fields_survive_a_round_trip_at_every_depth(extra: dict[str, Any]) -> None:
    extra.pop("unknown_fields", None)
    plain = json.loads(encode(CASES["desired"]))
    plain.update(extra)
    plain["slots"]["detector"].update(extra)
    assert json.loads(encode(decode(json.dumps(plain).encode(), Desired))) == plain


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        (PresenceMessage, b"", "not JSON"),
        (PresenceMessage, b"\xff\xfe", "not JSON"),
        (PresenceMessage, b"[" * 100_000, "not JSON"),
        (PresenceMessage, b"[]", "must be a table, not a list"),
        (PresenceMessage, b'{"device":"../x","online":true,"boot":"b","connection":0}', "device"),
        (PresenceMessage, b'{"device":"a","online":1,"boot":"b","connection":0}', "online"),
        (PresenceMessage, b'{"device":"a","online":true,"boot":"b","connection":-1}', "connection"),
        (PresenceMessage, b'{"device":"a","online":true,"boot":"b","connection":0,"unknown_fields":{}}', "reserved"),
        (Ack, b'{"stream":"secrets","epoch":"e","seq":0}', "stream"),
        (BlockRequest, b'{"blob":"' + b"0" * 64 + b'","ranges":[[0,0]]}', "ranges"),
        (BlockRequest, b'{"blob":"short","ranges":[[0,1]]}', "blob"),
        (Desired, b'{"device":"a","generation":0}', "generation"),
    ],
)
def test_hostile_bytes_get_one_line_that_names_the_fault(kind: type[Wire], data: bytes, expected: str) -> None:
    with pytest.raises(MessageError) as caught:
        decode(data, kind)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_message_over_the_limit_is_not_even_parsed() -> None:
    with pytest.raises(MessageError, match="over the limit"):
        decode(b" " * (MESSAGE_BYTES_MAX + 1), PresenceMessage)


@given(data=st.binary(max_size=200))
def test_any_bytes_give_a_message_or_a_message_error(data: bytes) -> None:
    try:
        decode(data, PresenceMessage)
    except MessageError:
        return
    assert json.loads(data)["device"]
