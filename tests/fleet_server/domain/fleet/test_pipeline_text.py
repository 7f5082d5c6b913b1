"""Pipelines written as TOML: parsing returns the same data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.encoding import toml
from edgefleet_contract.pipeline.spec import read_pipeline
from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.fleet.pipeline_text import write_pipeline

EXAMPLES = sorted((Path(__file__).parents[4] / "docs" / "examples").glob("*.toml"))

text = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
leaf = st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | text
value = st.recursive(leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3), max_leaves=8)
table = st.dictionaries(text, value, max_size=4)


@given(st.dictionaries(text, leaf | table | st.lists(table, min_size=1, max_size=3), max_size=5))
def test_any_data_comes_back(plain: dict[str, Any]) -> None:
    assert toml.parse(write_pipeline(plain), "t") == plain


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_come_back(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    plain = toml.parse(written, path.name)
    again = write_pipeline(plain)
    assert toml.parse(again, "again") == plain
    assert read_pipeline(again, "again").work() == read_pipeline(written, path.name).work()


@pytest.mark.parametrize("wrong", [{"zones": {1, 2}}, {"fps": float("nan")}, {"a": [[[[[[[[[[1]]]]]]]]]]}])
def test_unsupported_values_are_reported(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        write_pipeline(wrong)
