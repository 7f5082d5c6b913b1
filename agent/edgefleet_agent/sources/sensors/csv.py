"""Series in CSV files: recordings that are analysed, or replayed in real time."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import TextIO

from edgefleet_agent.signal.table import DELIMITERS, cell_number, equal_rows
from edgefleet_agent.sources.frame_pacing import Pacer
from edgefleet_agent.sources.options import read_options
from edgefleet_agent.sources.sensors.base import CHANNELS_MAX, Reading, Sensor, moment_s
from edgefleet_contract.core.errors import MediaError
from edgefleet_contract.pipeline.spec import SourceSpec

BAD_ROWS_MAX = 100
"""Rows in a row that may be unreadable before the file is given up."""
FIRST_ROWS = 100
"""Rows that are read to find the columns of numbers."""
LINE_CHARS_MAX = 65536


class CsvSensor(Sensor):
    """Kind `csv`: `uri` is a file with a header. Options: `time`, the column of times (the first); `channels`, comma-separated
    columns (all others in which half of the first cells, or more, are numbers). Delimiter `,`, `;` or tab; with one of the last
    two, numbers may have a decimal comma; times ISO 8601 (UTC unless they say otherwise)
    or seconds, milliseconds, microseconds or nanoseconds. A row that cannot be read is left out.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        options = read_options(spec, {"time": "", "channels": ""}, {})
        self._path = Path(spec.uri)
        self._time: str = options["time"]
        self._chosen = [name.strip() for name in options["channels"].split(",") if name.strip()]
        self._file: TextIO | None = None
        self._delimiter = ","
        self._columns: list[int] = []
        self._time_column = 0

    def open(self) -> None:
        """Read the header and the first row.

        Raises:
            MediaError: not there, or a required column is missing.
        """
        try:
            self._file = self._path.open(encoding="utf-8-sig", newline="")
            head, *first = (self._file.readline(LINE_CHARS_MAX) for _ in range(1 + FIRST_ROWS))
        except (OSError, UnicodeDecodeError) as cause:
            why = cause.strerror if isinstance(cause, OSError) else "not UTF-8"
            raise MediaError(f"{self._path}: cannot be read: {why}; specify a CSV file with a header") from cause
        self._delimiter = max(DELIMITERS, key=head.count)
        names = next(csv.reader([head], delimiter=self._delimiter), [])
        present = csv.reader(itertools.takewhile(bool, first), delimiter=self._delimiter)
        rows = equal_rows(present, names, self._delimiter, str(self._path))
        missing = next((name for name in [self._time or names[0], *self._chosen] if name not in names), None)
        if missing is not None:
            raise MediaError(f"{self._path}: no column {missing!r}; it has {', '.join(names[:20])}")
        self._time_column = names.index(self._time or names[0])
        numbers = [name for name, *cells in zip(names, *rows, strict=True) if self._are_numbers(cells)]
        chosen = self._chosen or [name for name in numbers if name != names[self._time_column]]
        self.texts = [name for name in names if name not in (*numbers, names[self._time_column])]
        if not 0 < len(chosen) <= CHANNELS_MAX:
            raise MediaError(f"{self._path}: {len(chosen)} numeric columns; select 1 to {CHANNELS_MAX} with the option channels")
        self.channels = chosen
        self._columns = [names.index(name) for name in chosen]
        self._file.seek(0)
        self._file.readline()

    def readings(self) -> Iterator[Reading]:
        """One reading a row.

        Raises:
            MediaError: too many unreadable rows.
        """
        assert self._file is not None
        pacer = Pacer(self.closing) if self.spec.pace == "realtime" else None
        bad, origin_s = 0, None
        try:
            rows = csv.reader(self._file, delimiter=self._delimiter)
            for row in rows:
                reading = self._reading(row)
                if reading is None:
                    bad += 1
                    if bad > BAD_ROWS_MAX:
                        raise MediaError(
                            f"{self._path}: line {rows.line_num + 1}: {bad} consecutive rows cannot be read; check the columns"
                        )
                    continue
                bad = 0
                origin_s = reading.at_s if origin_s is None else origin_s
                if self.closing.is_set() or (pacer and not pacer.wait_for(reading.at_s - origin_s)):
                    return
                yield reading
        except (csv.Error, UnicodeDecodeError) as cause:
            raise MediaError(f"{self._path}: not a CSV file ({cause}); specify one with a header") from cause

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _reading(self, row: list[str]) -> Reading | None:
        if len(row) <= max(self._time_column, *self._columns):
            return None
        at_s = self._moment_s(row[self._time_column])
        values = tuple(self._number(row[column]) for column in self._columns)
        if at_s is None:
            return None
        return Reading(at_s, tuple(math.nan if value is None else value for value in values))

    def _are_numbers(self, cells: list[str]) -> bool:
        """Whether at least half of the cells that are not empty are numbers."""
        found = [self._number(cell) is not None for cell in cells if cell.strip()]
        return bool(found) and 2 * sum(found) >= len(found)

    def _number(self, text: str) -> float | None:
        return cell_number(text, self._delimiter)

    def _moment_s(self, text: str) -> float | None:
        number = self._number(text)
        if number is not None:
            at_s = moment_s(number)
            return None if math.isnan(at_s) else at_s
        try:
            moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        except ValueError:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()
