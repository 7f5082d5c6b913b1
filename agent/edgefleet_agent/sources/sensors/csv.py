"""Series in CSV files: recordings that are analysed, or replayed in real time."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import TextIO

from edgefleet_agent.sources.frame_pacing import Pacer
from edgefleet_agent.sources.options import read_options
from edgefleet_agent.sources.sensors.base import CHANNELS_MAX, Reading, Sensor, moment_s
from edgefleet_contract.core.errors import MediaError
from edgefleet_contract.pipeline.spec import SourceSpec

BAD_ROWS_MAX = 100
"""Rows in a row that may be unreadable before the file is given up."""
DELIMITERS = (",", ";", "\t")


class CsvSensor(Sensor):
    """Kind `csv`: `uri` is a file with a header. Options: `time`, the column of times (the first); `channels`, comma-separated
    columns (all others whose first value is a number). Delimiter `,`, `;` or tab; times ISO 8601 (UTC unless they say otherwise)
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
            head, first = self._file.readline(65536), self._file.readline(65536)
        except (OSError, UnicodeDecodeError) as cause:
            why = cause.strerror if isinstance(cause, OSError) else "not UTF-8"
            raise MediaError(f"{self._path}: cannot be read: {why}; specify a CSV file with a header") from cause
        self._delimiter = max(DELIMITERS, key=head.count)
        names, values = (next(csv.reader([line], delimiter=self._delimiter), []) for line in (head, first))
        if not values or len(names) < 2 or len(names) != len(values):
            raise MediaError(f"{self._path}: not a table with a header and equal rows; specify a CSV file with a header")
        missing = next((name for name in [self._time or names[0], *self._chosen] if name not in names), None)
        if missing is not None:
            raise MediaError(f"{self._path}: no column {missing!r}; it has {', '.join(names[:20])}")
        self._time_column = names.index(self._time or names[0])
        numbers = [name for name, value in zip(names, values, strict=True) if _number(value) is not None]
        chosen = self._chosen or [name for name in numbers if name != names[self._time_column]]
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
            for row in csv.reader(self._file, delimiter=self._delimiter):
                reading = self._reading(row)
                if reading is None:
                    bad += 1
                    if bad > BAD_ROWS_MAX:
                        raise MediaError(f"{self._path}: {bad} consecutive rows cannot be read; check the columns")
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
        at_s = _moment_s(row[self._time_column])
        values = tuple(_number(row[column]) for column in self._columns)
        if at_s is None:
            return None
        return Reading(at_s, tuple(math.nan if value is None else value for value in values))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _moment_s(text: str) -> float | None:
    number = _number(text)
    if number is not None:
        at_s = moment_s(number)
        return None if math.isnan(at_s) else at_s
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()
