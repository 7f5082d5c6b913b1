"""Runs the model on one work unit: one record per picture, frame or row."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import LoadOptions, Session
from edgefleet_agent.backends.installed import cpu_profile, find_backend, installed_runtimes
from edgefleet_agent.batch.work_units import WorkUnit
from edgefleet_agent.core import plugins
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.models.measurement import measure
from edgefleet_agent.serving.models.model_loader import judge_batch_axis, signature_of
from edgefleet_agent.serving.models.model_source import LoadTarget, Source, bare_runtimes, find_source
from edgefleet_agent.sources.cameras.image_file import read_picture
from edgefleet_agent.vision.answers import model_outputs, result_kind
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Mask
from edgefleet_contract.core.errors import MediaError, ModelError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.pipeline.spec import SourceSpec

ROWS_EACH = 256
"""Rows of a table computed at once if the model has a batch axis."""
CELLS_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class BatchJob:
    """Options of a job, the same for every process. Either package, or model and head. threads: of each process. every: interval
    of the analyzed frames of a video."""

    package: str = ""
    model: str = ""
    head: str = ""
    labels: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    runtime: str = ""
    min_score: float = 0.5
    top: int = 5
    every: int = 1
    threads: int = 1


class Predictor:
    """The model of one process, opened for the first unit. Used by one thread."""

    def __init__(self, job: BatchJob) -> None:
        self._job = job
        self._model: LoadedModel | None = None
        self._session: Session | None = None
        self._rows_each = 1

    def predict(self, unit: WorkUnit) -> bytes:
        """The records of a unit as JSON lines. An unreadable file gives a record with `error`.

        Raises:
            EdgefleetError: the model cannot be opened.
        """
        by_kind: dict[str, Callable[[str], Iterator[dict[str, Any]]]] = {
            "pictures": self._picture,
            "video": self._video,
            "table": self._table,
        }
        if unit.kind != "table":
            self._loaded_model()
        lines: list[bytes] = []
        for file in unit.files:
            lines += [json_text(record, ascii_only=False).encode() for record in _records_or_error(file, by_kind[unit.kind])]
        return b"".join(line + b"\n" for line in lines)

    def _loaded_model(self) -> LoadedModel:
        job = self._job
        if self._model is None and job.package:
            runtimes = [job.runtime] if job.runtime else installed_runtimes()
            self._model = LoadedModel.open(Path(job.package), runtimes=runtimes, profile=cpu_profile(), threads=job.threads)
        elif self._model is None:
            labels = Path(job.labels) if job.labels else None
            self._model = LoadedModel.from_file(
                Path(job.model), job.head, labels, runtime=job.runtime, threads=job.threads, params=job.params
            )
        return self._model

    def _picture(self, file: str) -> Iterator[dict[str, Any]]:
        yield {"file": file, **self._answer(read_picture(Path(file)))}

    def _video(self, file: str) -> Iterator[dict[str, Any]]:
        source = plugins.load("sources", "file", MediaError)(SourceSpec(kind="file", uri=file, pace="fast"))
        source.open()
        try:
            for number, frame in enumerate(source.frames()):
                if number % self._job.every == 0:
                    yield {"file": file, "frame": frame.index, "media_s": round(frame.media_s, 3), **self._answer(frame, file)}
        finally:
            source.close()

    def _answer(self, frame: Frame, stream: str = "") -> dict[str, Any]:
        model = self._loaded_model()
        done = model.infer(frame, self._job.min_score, stream)
        found = to_plain(model_outputs(done.result, model.label, self._job.top))
        mask = done.result
        record: dict[str, Any] = {result_kind(done.result): found}
        if isinstance(mask, Mask):
            record["mask"] = {"size": list(mask.class_ids.shape), "runs": mask.runs()}
        return {**record, "model": model.manifest.id, "runtime": model.placement.runtime, "device": model.placement.device}

    def _table(self, file: str) -> Iterator[dict[str, Any]]:
        """Run every row of numbers through a model that takes vectors; a first row of words is a header."""
        session = self._vectors()
        spec = session.inputs[0]
        width = int(np.prod([max(side, 1) for side in spec.shape[1:]])) if len(spec.shape) > 1 else 0
        number = 0
        for rows in _chunks(file, width, self._rows_each):
            inputs = np.array(rows, spec.dtype).reshape(len(rows), *(max(side, 1) for side in spec.shape[1:]))
            outputs = {name: array.copy() for name, array in session.infer({spec.name: inputs}).items()}
            for row in range(len(rows)):
                record = {name: array[row].ravel().tolist() for name, array in outputs.items()}
                yield {"file": file, "row": number, "outputs": record}
                number += 1

    def _source(self) -> Source:
        job = self._job
        if not job.package:
            file = Path(job.model)
            bare = bare_runtimes()
            if file.suffix not in bare:
                raise ModelError(f"{file}: tables require a model file ending in {', '.join(bare)}")
            return Source((file,), job.runtime or bare[file.suffix], {})
        runtimes = (job.runtime,) if job.runtime else tuple(installed_runtimes())
        return find_source(Path(job.package), LoadTarget(runtimes, cpu_profile()), ServingConfig(runtime=job.runtime))

    def _vectors(self) -> Session:
        if self._session is None:
            source = self._source()
            backend = find_backend(source.runtime, source.variant)
            session = backend.load(source.files, LoadOptions(threads=self._job.threads, options=source.options))
            if len(session.inputs) != 1 or len(session.inputs[0].shape) < 2 or session.inputs[0].dtype.kind not in "fiu":
                session.close()
                raise ModelError("tables require a model with a single numeric input of shape [rows, columns]")
            signature = signature_of(Path(self._job.model or self._job.package).name, "", session, ())
            signature, _ = judge_batch_axis(session, signature, source, measure(session, signature, 1))
            self._rows_each = ROWS_EACH if signature.batch else 1
            self._session = session
        return self._session


def _records_or_error(file: str, predict: Callable[[str], Iterator[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    try:
        yield from predict(file)
    except (MediaError, ModelError) as error:
        yield {"file": file, "error": str(error)}


def _chunks(file: str, width: int, each: int) -> Iterator[list[list[float]]]:
    try:
        with Path(file).open(newline="", encoding="utf-8", errors="replace") as stream:
            rows: list[list[float]] = []
            for number, cells in enumerate(csv.reader(stream)):
                try:
                    values = [float(cell) for cell in cells[:CELLS_MAX]]
                except ValueError as cause:
                    if number == 0:
                        continue  # header
                    raise MediaError(f"{file}: line {number + 1} has a cell that is not a number ({cause})") from cause
                if not cells:
                    continue
                if len(values) != width:
                    raise MediaError(f"{file}: line {number + 1} has {len(values)} numbers, the model expects {width}")
                rows.append(values)
                if len(rows) == each:
                    yield rows
                    rows = []
            if rows:
                yield rows
    except (OSError, csv.Error) as cause:
        raise MediaError(f"{file}: cannot be read as a table: {fault_text(cause)}") from cause


def describe(job: BatchJob) -> str:
    """The options that affect the output, as the identity of a job."""
    options = {name: getattr(job, name) for name in BatchJob.__slots__ if name != "threads"}
    return json.dumps(options, sort_keys=True)
