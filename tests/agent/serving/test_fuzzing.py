"""Mutated requests, guided by coverage, to the protocol cores of HTTP/1.1 and HTTP/2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.serving.fuzz_cases import CASES
from tests.fuzz import fuzz

INPUTS = 60
INPUTS_LONG = 30_000
WATCHED = ("/serving/http/", "/serving/http2/", "/hpack/")


def run(kind: str, inputs: int, seed: int, folder: Path) -> None:
    make, case = CASES[kind]
    found = fuzz(make(), case, inputs, seed, folder, WATCHED)
    assert found["places"]["now"] > found["places"]["by_the_corpus"] > 100


@pytest.mark.parametrize("kind", sorted(CASES))
def test_mutated_requests(kind: str, tmp_path: Path) -> None:
    run(kind, INPUTS, 1, tmp_path)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", sorted(CASES))
def test_many_mutated_requests(kind: str, seed: int, tmp_path: Path) -> None:
    run(kind, INPUTS_LONG, seed, tmp_path)
