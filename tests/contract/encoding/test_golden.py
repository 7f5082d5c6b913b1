"""Every later version reads and writes the messages of version 1 unchanged."""

from __future__ import annotations

import json

import pytest

from edgefleet_contract.encoding.codec import decode, encode
from tests.contract.encoding.golden_cases import CASES, FOLDER


def test_every_case_has_its_file_and_every_file_its_case() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CASES)


@pytest.mark.parametrize("name", sorted(CASES))
def test_golden_message_reads_as_it_was_meant(name: str) -> None:
    golden = (FOLDER / f"{name}.json").read_bytes()
    assert decode(golden, type(CASES[name])) == CASES[name]


@pytest.mark.parametrize("name", sorted(CASES))
def test_golden_message_is_written_again_as_it_was(name: str) -> None:
    golden = (FOLDER / f"{name}.json").read_bytes()
    assert json.loads(encode(decode(golden, type(CASES[name])))) == json.loads(golden)
