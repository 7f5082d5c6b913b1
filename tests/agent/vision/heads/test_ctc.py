"""Text, read from scores along a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.answers import model_outputs, result_kind
from edgefleet_agent.vision.heads.base import HeadContext
from edgefleet_agent.vision.heads.ctc import CtcHead
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.contexts import context, spec

ALPHABET = ("A", "B", "C", "1", "2")


def alphabet(shape: tuple[int, ...], dtype: Any = np.float32, tensor: tuple[float, int] = (0.0, 0), **params: Any) -> HeadContext:
    return replace(context(spec("o", shape, dtype, *tensor), **params), labels=ALPHABET)


def rows(path: list[int], classes: int, sure: float = 5.0) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Logits in which these classes are the best, one a place."""
    scores = np.zeros((len(path), classes), np.float32)
    scores[np.arange(len(path)), path] = sure
    return scores


@pytest.mark.parametrize(
    ("blank", "path", "expected"),
    [
        (0, [0, 1, 1, 0, 1, 2, 2, 2, 0, 4], "AAB1"),
        (-1, [0, 0, 5, 0, 1, 5, 5, 3], "AAB1"),
        (0, [0, 0, 0], ""),
        (2, [0, 2, 0, 1, 3], "AABC"),
    ],
)
def test_repeats_are_one_and_blanks_part(blank: int, path: list[int], expected: str) -> None:
    for shape in ((1, len(path), 6), (len(path), 1, 6), (len(path), 6)):
        found = CtcHead(alphabet(shape, blank=blank)).decode({"o": rows(path, 6).reshape(shape)}, 0.9)
        assert found.text == expected
        assert len(found.scores) == len(expected)
        assert found.score == pytest.approx(np.exp(5) / (np.exp(5) + 5) if expected else 0.0)


def test_a_space_and_probabilities() -> None:
    head = CtcHead(alphabet((1, 4, 7), softmax=False))
    assert head.decode({"o": np.eye(7, dtype=np.float32)[[1, 6, 0, 5]][None] * 0.75}, 0.0).text == "A 2"


def test_each_character_has_its_own_score() -> None:
    scores = np.array([[[0.1, 0.9, 0, 0, 0, 0], [0.4, 0.6, 0, 0, 0, 0], [0.3, 0, 0.4, 0.3, 0, 0]]], np.float32)
    (answer,) = model_outputs(CtcHead(alphabet((1, 3, 6), softmax=False)).decode({"o": scores}, 0.0), str, 5)
    assert (answer.label, answer.characters, answer.score) == ("AB", [0.9, 0.4], 0.65)


def test_an_8_bit_output() -> None:
    stored = np.full((1, 2, 6), -128, np.int8)
    stored[0, 0, 3] = stored[0, 1, 0] = 127
    found = CtcHead(alphabet((1, 2, 6), np.int8, (0.1, -128))).decode({"o": stored}, 0.0)
    assert (found.text, result_kind(found)) == ("C", "texts")


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_what_was_written_is_read(path: list[int]) -> None:
    """Compares with the definition: remove repetitions, then blanks."""
    symbols = [number for place, number in enumerate(path) if not place or number != path[place - 1]]
    expected = "".join(("", *ALPHABET)[number] for number in symbols)
    assert CtcHead(alphabet((1, len(path), 6))).decode({"o": rows(path, 6)[None]}, 0.0).text == expected


@pytest.mark.parametrize(
    ("made", "expected_text"),
    [
        (lambda: context(spec("o", (1, 4, 6))), "the alphabet is missing"),
        (lambda: alphabet((1, 4, 9)), r"expected \[1, places, 6\], .* for 5 labels and a blank"),
        (lambda: alphabet((2, 4, 6)), r"has shape \[2, 4, 6\]"),
        (lambda: alphabet((1, 4, 6), blank=6), "'blank' must be a number"),
        (lambda: alphabet((1, 4, 6), beam=3), "unknown param 'beam'"),
    ],
)
def test_what_cannot_be_read(made: Any, expected_text: str) -> None:
    with pytest.raises(ManifestError, match=expected_text):
        CtcHead(made())
