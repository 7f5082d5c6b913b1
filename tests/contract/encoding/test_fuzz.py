"""The fuzzer finds what it is there to find: a mistake behind conditions that only coverage shows one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import fuzz

SEED = b"abcdefgh"


class PlantedError(Exception):
    """No error that the agent declares."""


def planted(data: bytes) -> None:
    """Blindly, one input in sixteen million comes through."""
    if data[:1] == b"!":
        opened = 1
        if data[1:2] == b"?":
            opened = 2
            if data[2:3] == b"#":
                raise PlantedError(opened)


def test_it_finds_a_planted_mistake_and_keeps_it(tmp_path: Path) -> None:
    with pytest.raises(PlantedError):
        fuzz.fuzz([SEED], planted, 200_000, 3, tmp_path, ("test_fuzz.py",))
    (crash,) = tmp_path.glob("crash-*")
    with pytest.raises(PlantedError):
        planted(crash.read_bytes())


@pytest.mark.parametrize("kind", ["descriptor", "desired", "manifest"])
def test_a_short_run_of_the_real_ones(kind: str, tmp_path: Path) -> None:
    found = fuzz.fuzz(*fuzz.kinds_case(kind), 300, 11, tmp_path)
    assert found["crashes"] == 0
    assert found["places"]["now"] > found["places"]["by_the_corpus"], json.dumps(found)
    again = fuzz.fuzz(*fuzz.kinds_case(kind), 1, 11, tmp_path)
    assert again["corpus"]["before"] == found["corpus"]["before"] + found["corpus"]["new"], "the corpus it made is used again"
