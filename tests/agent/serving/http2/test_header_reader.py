"""Header blocks that repeat are decoded once, and never wrongly: against `hpack`, which decodes each."""

from __future__ import annotations

import random

import hpack
import pytest

from edgefleet_agent.serving.http2.header_reader import BLOCKS_MAX, HeaderReader

NAMES = (b":path", b"content-length", b"te", b"x-name", b"grpc-timeout")
ROUNDS = 400


def literal(name: bytes, value: bytes, first: int) -> bytes:
    """A literal field without Huffman code. first: 0x00 is not indexed, 0x10 never, 0x40 indexed."""
    return bytes((first, len(name))) + name + bytes((len(value),)) + value


def blocks(rng: random.Random) -> list[bytes]:
    """Blocks of a connection, of which most repeat, with every kind of field."""
    found: list[bytes] = []
    for _ in range(ROUNDS):
        choice = rng.random()
        name, value = rng.choice(NAMES), b"v" * rng.choice((0, 1, 126, 127, 128, 300))
        if found and choice < 0.6:
            found.append(rng.choice(found[-5:]))
            continue
        if choice < 0.8:
            found.append(b"".join(literal(name, value[:100], rng.choice((0x00, 0x10))) for _ in range(rng.randrange(1, 4))))
        elif choice < 0.9:
            found.append(hpack.Encoder().encode([(name, value, True), (b":method", b"POST")], huffman=rng.random() < 0.5))
        else:
            found.append(b"\x83" + literal(name, value[:100], 0x40) + b"\xbe")
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_headers_are_those_that_are_decoded_each_time(seed: int) -> None:
    reader, decoder = HeaderReader(), hpack.Decoder()
    for block in blocks(random.Random(seed)):
        assert reader.read(block).fields == tuple(decoder.decode(block, raw=True))


def test_a_path_outside_of_the_table_is_decoded_once() -> None:
    """Block of nghttp2: indexes, and the path and the length as literals without indexing."""
    reader = HeaderReader()
    block = b"\x83\x86" + literal(b":path", b"/a", 0x00) + literal(b"content-length", b"5", 0x00)
    assert reader.read(block) is reader.read(block)
    changed = literal(b"x", b"y", 0x40)
    assert reader.read(changed) is not reader.read(changed)
    first = reader.read(block)
    assert first is reader.read(block)


def test_the_meaning_of_an_index_follows_the_table() -> None:
    reader = HeaderReader()
    for value in (b"1", b"2", b"3"):
        reader.read(literal(b"x", value, 0x40))
        for _ in range(2):
            assert reader.read(b"\xbe").fields == ((b"x", value),)


def test_the_cache_is_limited() -> None:
    reader = HeaderReader()
    for number in range(3 * BLOCKS_MAX):
        reader.read(literal(b"x", b"%d" % number, 0x10))
        assert len(reader._known) <= BLOCKS_MAX
    reader.read(literal(b"y", b"z" * 120, 0x10) * 20)
    assert all(len(block) < 1024 for block in reader._known)
