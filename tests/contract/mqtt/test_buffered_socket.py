"""A socket that reads ahead."""

from __future__ import annotations

import random
import socket

import pytest

from edgefleet_contract.mqtt.buffered_socket import READ_BYTES, BufferedSocket


def test_bytes_come_in_order_whatever_their_pieces() -> None:
    ours, theirs = socket.socketpair()
    line, dice = BufferedSocket(ours), random.Random(2)
    line.setblocking(False)
    sent, received = bytearray(), bytearray()
    with theirs:
        while len(sent) < 2_000_000:
            data = dice.randbytes(dice.choice([1, 5, 900, 40_000]))
            theirs.sendall(data)
            sent += data
            while len(received) < len(sent):
                received += line.recv(dice.choice([1, 2, 700, READ_BYTES, 2 * READ_BYTES]))
        assert received == sent
        assert line.pending() == 0
        with pytest.raises(BlockingIOError):
            line.recv(1)
        theirs.sendall(b"abcdef")
        assert line.recv(2) == b"ab"
        assert line.pending() == 4, "paho must not wait for more"
    assert line.recv(10) == b"cdef"
    assert line.recv(10) == b"", "the end"
    line.close()
