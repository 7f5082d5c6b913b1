"""Stores the finished pieces of a job, and writes its output.

    archive.jsonl.parts/job.json     identity of the job
    archive.jsonl.parts/000017       records of one piece, JSON lines; written atomically

A killed job resumes: stored pieces are done. After the last piece the output is written to a temporary file from the pieces in
their order, and renamed; then the pieces are removed.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from edgefleet_agent.core.extras import install_hint
from edgefleet_contract.core.atomic_files import as_store_error, make_folder, read_if_there, sync_folder, write_atomic
from edgefleet_contract.core.errors import InputError, MissingError
from edgefleet_contract.encoding.number_text import json_text

JOB_BYTES_MAX = 4096
PIECE_BYTES_MAX = 2 * 1024 * 1024 * 1024
FORMATS = (".jsonl", ".parquet")


class ResultStore:
    """One job's output and its pieces.

    Raises:
        InputError: the output exists, has an unknown suffix, or the pieces beside it belong to another job.
        MissingError: Parquet without pyarrow.
    """

    def __init__(self, output: Path, job: str) -> None:
        self._output = output
        self._folder = output.with_name(f"{output.name}.parts")
        if output.suffix not in FORMATS:
            raise InputError(f"--output {output}: must end in {' or '.join(FORMATS)}")
        if output.suffix == ".parquet":
            _pyarrow()
        if output.exists():
            raise InputError(f"{output}: already exists; move it or choose another --output")
        known = read_if_there(self._folder / "job.json", JOB_BYTES_MAX)
        if known is not None and json.loads(known).get("job") != job:
            raise InputError(
                f"{self._folder}: holds results of a job with other files or options; finish that job or remove the folder"
            )
        if known is None:
            make_folder(self._folder)
            write_atomic(self._folder / "job.json", json.dumps({"job": job}).encode())

    def done(self) -> set[int]:
        """Numbers of the stored pieces."""
        return {int(path.name) for path in self._folder.iterdir() if path.name.isdecimal()}

    def save(self, number: int, records: bytes) -> None:
        """Store a finished piece.

        Raises:
            StoreError: the piece cannot be written.
        """
        write_atomic(self._folder / f"{number:06d}", records)

    def finish(self, count: int) -> tuple[int, int]:
        """Write the output from all `count` pieces, and remove them. Returns the counts of records and of errors among them.

        Raises:
            StoreError: the output cannot be written; the pieces stay.
        """
        pieces = [self._folder / f"{number:06d}" for number in range(count)]
        beside = self._output.with_name(f".{self._output.name}.new")
        totals = _totals(pieces)
        with as_store_error(self._output):
            if self._output.suffix == ".parquet":
                _write_parquet(beside, pieces)
            else:
                with beside.open("wb") as file:
                    for piece in pieces:
                        with piece.open("rb") as part:
                            shutil.copyfileobj(part, file)
            with beside.open("rb+") as file:
                os.fsync(file.fileno())
            beside.replace(self._output)
            sync_folder(self._output.resolve().parent)
            shutil.rmtree(self._folder)
        return totals


def _totals(pieces: Iterable[Path]) -> tuple[int, int]:
    records = errors = 0
    for piece in pieces:
        for record in _records(piece):
            records += 1
            errors += "error" in record
    return records, errors


def _pyarrow() -> Any:
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ModuleNotFoundError as cause:
        raise MissingError(f"Parquet needs pyarrow: {install_hint('parquet')}, or use --output FILE.jsonl") from cause


def _write_parquet(file: Path, pieces: Iterable[Path]) -> None:
    """Write one row group per piece, so that memory does not grow with the archive."""
    arrow = _pyarrow()
    found = arrow.struct(
        [
            ("label", arrow.string()),
            ("class_id", arrow.int32()),
            ("score", arrow.float32()),
            ("box", arrow.list_(arrow.float32())),
        ]
    )
    schema = arrow.schema(
        [
            ("file", arrow.string()),
            ("frame", arrow.int64()),
            ("media_s", arrow.float64()),
            ("row", arrow.int64()),
            ("kind", arrow.string()),
            ("found", arrow.list_(found)),
            ("other", arrow.string()),
            ("error", arrow.string()),
            ("model", arrow.string()),
        ]
    )
    with arrow.parquet.ParquetWriter(file, schema) as writer:
        for piece in pieces:
            rows = [_flat(record) for record in _records(piece)]
            if rows:
                writer.write_table(arrow.Table.from_pylist(rows, schema))


def _records(piece: Path) -> Iterator[dict[str, Any]]:
    with piece.open("rb") as lines:
        for line in lines:
            yield json.loads(line)


_PLACES = ("file", "frame", "media_s", "row", "error", "model")


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """A record as a row: boxes and classes in columns of their own, other results as JSON in `other`."""
    row = {name: record.get(name) for name in _PLACES}
    kind = next((name for name in ("detections", "classes") if name in record), "")
    row["kind"] = kind or next((name for name in record if name not in (*_PLACES, "runtime", "device", "latency_ms")), None)
    row["found"] = record.get(kind) if kind else None
    row["other"] = None if kind or row["kind"] is None else json_text(record[row["kind"]])
    return row
