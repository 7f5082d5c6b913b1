"""Recorded series as windows for a model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.signal.table import parse_table, windows
from edgefleet_contract.core.errors import MediaError


def test_columns_of_numbers() -> None:
    text = "time;a;word;b\n1;1;x;10\n2;2;x;20\n3;3;x;\n4;4;x;40\n"
    assert parse_table(text, "t").tolist() == [[1, 10], [2, 20], [4, 40]]
    assert parse_table("\ufeff" + text, "t", ["b"]).tolist() == [[10], [20], [40]]
    assert parse_table("time,a\n0,5\n", "t", ["time"]).tolist() == [[0]]
    assert parse_table("time;a\n0,5;20,25\n1;-1,5e3\n2;1,234,567\n", "t").tolist() == [[20.25], [-1500]]


@pytest.mark.parametrize(
    ("text", "channels", "expected"),
    [
        ("", (), "t.csv: line 1 has no two columns"),
        ("time,a", (), "t.csv: no rows below the header"),
        ("time,a\n\n1\n", (), "t.csv: line 3 has 1 cells, the header has 2"),
        ("time,a\n1,20,5\n", (), "line 2 has 3 cells, the header has 2; numbers with a decimal comma need another delimiter"),
        ("time,word\n1,x\n", (), "no numeric column"),
        ("time,a\n1,2\n", ("c",), "no column 'c'; it has time, a"),
    ],
)
def test_what_is_no_table(text: str, channels: tuple[str, ...], expected: str) -> None:
    with pytest.raises(MediaError, match=expected):
        parse_table(text, "t.csv", channels)


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 9))
def test_windows_follow_each_other(length: int, columns: int, count: int) -> None:
    table = np.arange((count * length + length - 1) * columns, dtype=np.float32).reshape(-1, columns)
    if count == 0:
        with pytest.raises(MediaError):
            windows(table, (1, length, columns))
        return
    cut = windows(table, (1, length, columns))
    assert cut.shape == (count, 1, length, columns)
    assert np.array_equal(cut.reshape(-1, columns), table[: count * length])


def test_the_order_of_axes() -> None:
    table = np.arange(12, dtype=np.float32).reshape(6, 2)
    assert windows(table, (1, 2, 3))[0, 0].tolist() == [[0, 2, 4], [1, 3, 5]]  # channels first
    assert windows(table[:, :1], (1, 3))[1, 0].tolist() == [6, 8, 10]
    assert windows(table, (1, 2))[1, 0].tolist() == [2, 3]
    with pytest.raises(MediaError, match="a table of 2 numeric columns does not match an input"):
        windows(table, (1, 3, 5))
