"""Half of a surrogate pair in a JSON text, which parsers call a text that is cut off."""

from __future__ import annotations

import msgspec
import pytest

from edgefleet_contract.encoding.json_faults import json_fault, lone_surrogate


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (rb'"\ud800"', 1),
        (rb'["a", "x\uDBFFy"]', 8),
        (rb'"\udc00"', 1),
        (rb'{"\ud800": 1}', 2),
        (rb'"\ud800\u0041"', 1),
        (rb'"\ud83d\ude00\ude00"', 13),
        (rb'"\\\ud800"', 3),
    ],
)
def test_a_lone_surrogate_is_named_with_its_place(text: bytes, place: int) -> None:
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(text)
    assert json_fault(text, caught.value).startswith(f"the text at byte {place} has a lone surrogate, \\u")


@pytest.mark.parametrize("text", [rb'"\ud83d\ude00"', rb'"\\ud800"', rb'"\u0041\n"', b'"a"'])
def test_other_texts_have_none(text: bytes) -> None:
    assert isinstance(msgspec.json.decode(text), str)
    assert lone_surrogate(text) == ""


def test_another_fault_is_the_parsers() -> None:
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(b"[1")
    assert json_fault(b"[1", caught.value) == "Input data was truncated"
