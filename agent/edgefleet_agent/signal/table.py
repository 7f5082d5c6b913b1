"""Windows of recorded series: inputs of a model with a tensor input, without a clock.

A model input of shape [1, rows, columns], [1, columns, rows], [1, rows] (of a single column) or [1, columns] takes consecutive
rows of the table; windows do not overlap.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from edgefleet_contract.core.errors import MediaError

Floats = npt.NDArray[np.float32]

DELIMITERS = (",", ";", "\t")


def parse_table(text: str, where: str, channels: Sequence[str] = ()) -> Floats:
    """The columns `channels` of a CSV file with a header, (rows, columns) float32; without any, every column of numbers but the
    first, which is the time. Rows that cannot be read are left out.

    Raises:
        MediaError: no header, no rows, or not those columns.
    """
    head, _, body = text.lstrip("\ufeff").partition("\n")
    delimiter = max(DELIMITERS, key=head.count)
    names = next(csv.reader([head], delimiter=delimiter), [])
    rows = equal_rows(csv.reader(io.StringIO(body), delimiter=delimiter), names, delimiter, where)
    missing = next((name for name in channels if name not in names), None)
    if missing is not None:
        raise MediaError(f"{where}: no column {missing!r}; it has {', '.join(names[:20])}")
    numeric = [name for column, name in enumerate(names) if column and not math.isnan(_number(rows[0][column], delimiter))]
    chosen = [names.index(name) for name in channels or numeric]
    if not chosen:
        raise MediaError(f"{where}: no numeric column after the first (time) column; select columns with --channels")
    table = np.array([[_number(row[column], delimiter) for column in chosen] for row in rows], np.float32)
    whole: Floats = table[np.isfinite(table).all(axis=1)]
    return whole


def windows(table: Floats, shape: tuple[int, ...]) -> Floats:
    """Cuts `table` (rows, columns) into inputs of `shape`: (count, *shape).

    Raises:
        MediaError: the columns do not fit the shape, or there are fewer rows than one window takes.
    """
    rows, columns = table.shape
    size = math.prod(shape)
    if size % columns or columns not in (*shape, 1):
        raise MediaError(f"a table of {columns} numeric columns does not match an input of shape {list(shape)}; select columns")
    length = size // columns
    count = rows // length
    if not count:
        raise MediaError(f"{rows} rows; an input of shape {list(shape)} requires {length} rows of {columns} columns")
    blocks = table[: count * length].reshape(count, length, columns)
    channels_first = len(shape) > 2 and shape[-1] == length and shape[-2] == columns and length != columns
    ordered = blocks.transpose(0, 2, 1) if channels_first else blocks
    inputs: Floats = np.ascontiguousarray(ordered).reshape(count, *shape)
    return inputs


def equal_rows(rows: Iterable[list[str]], names: Sequence[str], delimiter: str, where: str) -> list[list[str]]:
    """The rows below the header `names` that have as many cells as it; others are left out.

    Raises:
        MediaError: no header of two or more columns, no rows, or none that is as long as the header.
    """
    if len(names) < 2:
        raise MediaError(
            f"{where}: line 1 has no two columns, separated by comma, semicolon or tab; specify a CSV file with a header"
        )
    filled = [(number, row) for number, row in enumerate(rows, 2) if row]
    if not filled:
        raise MediaError(f"{where}: no rows below the header; specify a CSV file with a header and rows")
    equal = [row for _, row in filled if len(row) == len(names)]
    if not equal:
        number, row = filled[0]
        advice = "remove what is not a table"
        if delimiter == "," and len(row) > len(names):
            advice = "numbers with a decimal comma need another delimiter: semicolon or tab"
        raise MediaError(f"{where}: line {number} has {len(row)} cells, the header has {len(names)}; {advice}")
    return equal


def cell_number(cell: str, delimiter: str) -> float | None:
    """The number in a cell; None if there is none. A decimal comma is read where the comma is not the delimiter."""
    try:
        return float(cell)
    except ValueError:
        pass
    if delimiter == "," or cell.count(",") != 1:
        return None
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _number(cell: str, delimiter: str) -> float:
    number = cell_number(cell, delimiter)
    return math.nan if number is None else number
