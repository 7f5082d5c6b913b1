"""Topics are built and read by the same module; unknown topics are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.wire import topics


@pytest.mark.parametrize(
    ("kind", "topic_of"),
    [
        ("presence", topics.presence),
        ("reported", topics.reported),
        ("telemetry", topics.telemetry),
        ("events", topics.events),
        ("reply", topics.reply),
        ("blocks", topics.block_request),
    ],
)
def test_up_topics_read_back(kind: str, topic_of: Callable[[str], str]) -> None:
    topic = topic_of("press-07")
    assert topics.parse_up(topic) == topics.UpTopic("press-07", kind)
    assert topic.startswith("edgefleet/v1/d/press-07/up/")


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "edgefleet/v1/d/a",
        "edgefleet/v1/d/A/up/presence",
        "edgefleet/v1/d//up/presence",
        "edgefleet/v2/d/a/up/presence",
        "edgefleet/v1/d/a/down/desired",
        "edgefleet/v1/d/a/up/",
        "x/edgefleet/v1/d/a/up/presence",
        "edgefleet/v1/d/" + "a" * 65 + "/up/x",
    ],
)
def test_strange_topics_are_refused(topic: str) -> None:
    with pytest.raises(MessageError):
        topics.parse_up(topic)


def test_block_topics_read_back_and_others_are_none() -> None:
    blob = "0a" * 32
    assert topics.parse_block(topics.block("a", blob, 7)) == (blob, 7)
    assert topics.parse_block(topics.broadcast_block(blob, 0)) == (blob, 0)
    assert topics.parse_block(topics.desired("a")) is None
    assert topics.parse_block(topics.block("a", blob, 7) + "/x") is None
