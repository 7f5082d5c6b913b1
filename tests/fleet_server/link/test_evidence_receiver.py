"""Blocks of uploads between the wire and a store."""

from __future__ import annotations

from typing import cast

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire.evidence_upload import BLOCK_BYTES, Upload
from edgefleet_server.link.evidence_receiver import EvidenceReceiver
from tests.fleet_server.fakes.server_process import eventually

DIGEST = "a" * 64


class Line:
    """Records what is published."""

    def __init__(self) -> None:
        self.published: list[Outgoing] = []

    def publish(self, message: Outgoing) -> int:
        self.published.append(message)
        return 1


class Files:
    """Counts blocks."""

    def __init__(self) -> None:
        self.blocks: list[int] = []

    def begin(self, upload: Upload) -> int | None:
        return len(self.blocks)

    def append(self, upload: Upload, number: int, data: bytes) -> int:
        self.blocks.append(number)
        return len(self.blocks)

    def finish(self, upload: Upload) -> None:
        raise AssertionError("it is not complete")

    def tidy(self, now: float) -> int:
        return 0


def test_blocks_of_a_file_that_was_not_offered_are_refused() -> None:
    files, refused, line = Files(), list[tuple[str, int]](), Line()
    receiver = EvidenceReceiver(cast("MqttClient", line), files, lambda *found: refused.append(found))
    receiver.start()
    receiver.take("d", f"upload/{DIGEST}/0", b"x" * BLOCK_BYTES)
    receiver.take("d", "upload", b"{")
    eventually("refused", lambda: len(refused) == 2)
    offer = Upload(device="d", event="e", kind="clip", digest=DIGEST, length=5 * BLOCK_BYTES)
    receiver.take("d", "upload", encode(offer))
    receiver.take("d", f"upload/{DIGEST}/0", b"x" * BLOCK_BYTES)
    eventually("stored", lambda: files.blocks == [0])
    receiver.take("d", f"upload/{DIGEST}/1", b"x" * (BLOCK_BYTES + 1))
    eventually("refused", lambda: len(refused) == 3)
    assert refused == [("d", BLOCK_BYTES), ("d", 1), ("d", BLOCK_BYTES + 1)]
    receiver.close()
